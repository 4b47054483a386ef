"""How often each kind of call is let through, where the environment says nothing else.

The kinds are those of `contract.rate_limits`. An address may be a school or a whole mobile network;
a player may have several devices that poll each second, and scripts of its developer.
"""

from typing import Final

RATES: Final = {
    "reads": "1200/minute",
    "changes": "600/minute",
    # Each may be left to the bots, which then play it to its end.
    "tables": "100/10 minutes",
    "streams": "1200/minute",
    "anonymous": "3000/minute",
    "guest": "300/10 minutes",
    "register": "100/10 minutes",
    "login_by_address": "50/10 minutes",
    "login_by_username": "10/10 minutes",
    "admin_login": "10/10 minutes",
    "code_by_address": "30/10 minutes",
    "code_by_player": "10/10 minutes",
}
