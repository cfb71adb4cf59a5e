"""The pages of the browser client as links show them: status, title, description and picture."""
