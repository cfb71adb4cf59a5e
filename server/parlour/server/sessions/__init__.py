"""Players' sessions: identification, dispatch of messages, and subscriptions to rooms."""
