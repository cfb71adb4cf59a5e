"""The admin API and page: what operators can see and do."""
