"""Terra Mystica: fourteen factions transform and settle a shared map, with every decision in the open."""
