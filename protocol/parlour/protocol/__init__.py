"""The messages between clients and servers, the description of boards, and the rules that both sides share."""
