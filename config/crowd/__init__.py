"""Many simulated people at many tables over HTTP, and whether what they were told adds up.

Like `config.playing` it knows the contract, not the code that serves it.
"""

from config.crowd.crowd import Crowd, Scene
from config.crowd.tally import Tally

__all__ = ["Crowd", "Scene", "Tally"]
