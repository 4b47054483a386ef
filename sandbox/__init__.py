"""Tables with given hands and scripted opponents, for who builds a client. Never in production."""
