"""Tables and rounds in the admin: found and looked at, and ended where they are stuck.

Of a running round nothing is shown that a seat may not know: no deck, no seed, no row that is set;
but the hands to who may look at them, each time with a reason that is logged.
"""

from games.admin import rounds, sessions  # noqa: F401 - importing registers them
