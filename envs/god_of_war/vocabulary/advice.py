"""What matters in each kind of decision, for a first game."""

from __future__ import annotations

FIRST_GAME = {  # by the kind of the decision
    "hero": "Each hero has a deck and a rage ability: rest on one to read them. Kratos hits hardest and stands longest",
    "place": "You reach enemies of your own column: the bottom row with melee or ranged cards, the top row with "
    "ranged ones. The arrows of an enemy say which columns it hits",
    "bearer": "Whenever Mimir or his bearer would suffer, you say which of them does: two who share it last longer",
    "turn": "Read the goal of the scene first. A melee or ranged card attacks, and number cards make it stronger; "
    "armour must break before an enemy suffers. Enemies act when you end, so keep a block card; what is left in hand "
    "is discarded at the end of the round",
    "mimir": "Mimir does not attack: he plays special cards, uses his rage ability and interacts",
    "target": "An enemy that falls now acts no more: often better than some damage to a strong one",
    "figure": "The effect says whether being chosen is good or bad",
    "pay": "The card is discarded: give what helps least in the enemies' turn",
    "step": "Away from the arrows of strong enemies, or below what you would like to attack",
    "set": "Each card adds to the strength. The enemy die takes 0 to 2 off; against armour there is no die, and the "
    "strength must reach the highest marker that stands. Add no more than that takes",
    "attack_window": "What is missing can still be added; when the strength is enough, pass",
    "die": "The die takes 0 to 2 off the strength: with this skill it adds to it",
    "reveal_window": "An upgrade card is revealed next, and the enemies that show its rune act. Pass unless a card "
    "is of use before that",
    "end_window": "The round ends now, and cards in hand are discarded: what is of use is better played",
    "ranged_target": "Several columns are equally far: let the attack hit who can bear it",
    "shield": "Let the one suffer who has more health to spare",
    "block": "A block card takes its strength off the attack, with numbers that are added next; the rest is damage",
    "block_window": "What is still to come can be lowered; a point of damage may be cheaper than a card",
    "poison": "Let the one suffer who has more health to spare",
    "chosen": "The effect says whether being chosen is good or bad",
    "scry": "The card on top is revealed next, and its rune says which enemies act: leave a rune on top that few show",
    "upgrade": "An upgrade goes on top of your deck, so it is in your next hand. Without a weak card the good ones "
    "come more often",
    "next_quest": "The quest that is not chosen hinders the next scene",
    "next_boss": "The bosses that are not chosen hinder the next scene",
}
