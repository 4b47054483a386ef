"""How bots choose: pure functions of what their seat may know."""
