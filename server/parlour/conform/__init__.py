"""The conformance kit: plays a scripted client against a server, and a scripted server against a client.

It reports every rule of the protocol as kept or broken, for any program in any language: see `rules` for the list.
"""
