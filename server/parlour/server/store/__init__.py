"""Everything that talks to Redis or Valkey. Only commands of Redis 7.0 are used."""
