"""Who answers: an endpoint that speaks the chat protocol, a function of the user's own, or a program in a pipe."""
