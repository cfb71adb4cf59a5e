"""Generated names for guests who have not chosen one: friendly and easy to pronounce."""

from __future__ import annotations

ADJECTIVES = (
    "Able", "Agile", "Airy", "Amber", "Azure", "Bold", "Brave", "Breezy", "Bright", "Brisk", "Bronze", "Busy", "Calm",
    "Candid", "Cheery", "Clever", "Copper", "Coral", "Cosy", "Crisp", "Curious", "Daring", "Deft", "Eager", "Early",
    "Earnest", "Fair", "Fancy", "Fleet", "Fond", "Frank", "Gallant", "Gentle", "Glad", "Golden", "Grand", "Happy",
    "Hardy", "Hazel", "Honest", "Humble", "Ivory", "Jade", "Jaunty", "Jolly", "Jovial", "Keen", "Kind", "Lively",
    "Loyal", "Lucky", "Lunar", "Mellow", "Merry", "Mild", "Misty", "Modest", "Neat", "Nimble", "Noble", "Olive",
    "Patient", "Pearl", "Placid", "Playful", "Plucky", "Polite", "Proud", "Quick", "Quiet", "Ready", "Rosy", "Ruby",
    "Rustic", "Sage", "Sandy", "Serene", "Sharp", "Silent", "Silver", "Sleek", "Snowy", "Solar", "Spry", "Steady",
    "Stellar", "Sturdy", "Sunny", "Swift", "Tender", "Thrifty", "Tidy", "Trusty", "Velvet", "Vivid", "Warm", "Wily",
    "Windy", "Wise", "Witty",
)  # fmt: skip

ANIMALS = (
    "Alpaca", "Badger", "Bear", "Beaver", "Bison", "Bobcat", "Camel", "Cheetah", "Condor", "Coyote", "Crane",
    "Cricket", "Curlew", "Deer", "Dingo", "Dolphin", "Dove", "Dragonfly", "Duck", "Eagle", "Egret", "Elk", "Ermine",
    "Falcon", "Ferret", "Finch", "Fox", "Gazelle", "Gecko", "Gibbon", "Goose", "Grouse", "Gull", "Hare", "Hawk",
    "Hedgehog", "Heron", "Hoopoe", "Ibex", "Ibis", "Iguana", "Impala", "Jackdaw", "Jaguar", "Jay", "Kestrel", "Kiwi",
    "Koala", "Lark", "Lemur", "Leopard", "Lion", "Lizard", "Llama", "Lynx", "Macaw", "Magpie", "Marmot", "Marten",
    "Mole", "Moose", "Narwhal", "Newt", "Ocelot", "Octopus", "Orca", "Oriole", "Osprey", "Otter", "Owl", "Panda",
    "Panther", "Parrot", "Pelican", "Penguin", "Petrel", "Pigeon", "Plover", "Puffin", "Puma", "Quail", "Rabbit",
    "Raven", "Robin", "Salmon", "Seal", "Sparrow", "Squirrel", "Stork", "Swallow", "Swan", "Tapir", "Tern", "Tiger",
    "Toucan", "Turtle", "Walrus", "Wombat", "Wren", "Zebra",
)  # fmt: skip

NUMBERS = range(10, 1000)


def guest_name(seed: int) -> str:
    """Return an adjective, an animal and a number. Equal seeds give equal names."""
    rest, animal = divmod(seed, len(ANIMALS))
    rest, adjective = divmod(rest, len(ADJECTIVES))
    return f"{ADJECTIVES[adjective]} {ANIMALS[animal]} {NUMBERS[rest % len(NUMBERS)]}"
