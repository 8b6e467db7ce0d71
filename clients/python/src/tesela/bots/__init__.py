"""The bot kit, `python3 -m tesela.bots`: engines that know no network play on a Tesela server."""
