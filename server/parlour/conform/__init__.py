"""The conformance kit: runs scripted clients against a server, and a scripted server against a client.

It reports for every rule of the protocol whether the program keeps it. The program may be written in any language.
`rules` lists the rules.
"""
