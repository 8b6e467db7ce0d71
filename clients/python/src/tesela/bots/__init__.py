"""The bot kit, `python3 -m tesela.bots`: plays on a Tesela server with engines that know no network.
"""
