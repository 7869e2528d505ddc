"""What everything in God of War is called, and what it does: one entry for each thing, from the component file."""

from __future__ import annotations

from typing import Any

from theogony.envs.core.vocabulary import ACTION, ADVICE, Entry, Vocabulary
from theogony.envs.god_of_war import state
from theogony.envs.god_of_war.components.pieces import RUNES
from theogony.envs.god_of_war.vocabulary import effects

__all__ = ["vocabulary"]

ACTIONS = {  # what it is, what it does, where it stands; the whole move, for people
    "hero": ("choose a hero", "whom this player steers", "§2", "play {0:hero}"),
    "place": ("enter a column", "in a free slot, in front or behind", "§2", "enter column {0}, {1}"),
    "move": ("move", "to a column with a free slot, or swap the slots of the own column", "§5.1",
             "{0:role} moves to column {1}, {2}"),
    "attack": ("attack", "the enemy of that row in the own column with a symbol card; numbers are added next", "§5.3",
               "{0:role} attacks the {1} card with {2:play}"),
    "special": ("special card", "play it for its effect", "§5.2", "{0:role} plays {1:play}"),
    "rage": ("rage ability", "with a full rage track, which is empty then", "§5.4", "{0:role} uses the rage ability"),
    "skill": ("companion's skill", "in one of its two ways, once a scene", "§10", "skill of {0:skill}"),
    "interact": ("interact", "with the first or second box of the card of that row in the own column", "§5.5",
                 "{0:role} interacts with the {1} card, box {2}"),
    "ask": ("ask Mimir", "Mimir's player acts for him now", "§9", "ask Mimir to act"),
    "end": ("end the activation", "the scene acts next", "§5", "end the activation"),
    "target": ("target", "the card on which an attack, ability or effect falls", "§3", "target: {0}"),
    "figure": ("choose a hero", "for the effect or question at hand", "§3", "choose {0:figure}"),
    "pay": ("pay", "this card for a cost, one after another", "§5.5", "pay with {0:card}"),
    "step": ("extra move", "to a column with a free slot", "§5.1", "extra move to column {0}, {1}"),
    "add": ("add a number", "this card to the attack or block that is being made", "§5.2", "add {0:play}"),
    "commit": ("commit the set", "no more numbers: the attack or block is made", "§5.2", "commit the set"),
    "block": ("block", "the attack with a block symbol; numbers are added next", "§6.1", "block with {0:play}"),
    "done": ("done", "block no more; for Mimir: give the activation back", "§6.1", ""),
    "pass": ("pass", "play nothing more in this window", "§11", ""),
    "column": ("hit a column", "of several that are equally far", "§6.1", "the attack hits column {0}"),
    "top": ("on top", "put back a card that was looked at, on top of the upgrade deck", "§10", "put card {0} on top"),
    "bottom": ("to the bottom", "put a card that was looked at under the upgrade deck", "§10",
               "put card {0} to the bottom"),
    "take": ("take an upgrade", "a revealed card, onto the deck", "§4", "take the upgrade {0:upgrade card}"),
    "remove": ("remove a card", "of the discard pile from the game", "§4", "remove {0:card} from the game"),
    "choose": ("next scene", "the quest or boss that is played next", "§8", "next scene: {0:scenario}"),
}  # fmt: skip
WORDS = {  # beside the text, which these need to be understood
    "hero": "{0:hero}",
    "attack": "{2:play}",
    "special": "{1:play}: {1:play.does}",
    "skill": "{0:skill}",
    "pay": "{0:card}",
    "add": "{0:play}",
    "block": "{0:play}",
    "take": "{0:upgrade card}: {0:upgrade card.does}",
    "remove": "{0:card}",
    "choose": "{0:scenario}, {0:scenario.does}",
}
SPOKEN = {  # of moves that are other ones by the kind of decision, too
    **{kind: said for kind, (*_, said) in ACTIONS.items() if said},
    ("pass", state.ATTACK_WINDOW): "pass: no help for the attack",
    ("pass", state.DIE): "pass: leave the die",
    ("pass", state.REVEAL_WINDOW): "pass: reveal the rune",
    ("pass", state.END_WINDOW): "pass: end the round",
    ("pass", state.BLOCK_WINDOW): "pass: no help against the attack",
    ("done", state.BLOCK): "no more blocks: take what is left",
    ("done", state.MIMIR_TURN): "give the activation back",
    ("figure", state.BEARER): "{0:figure} carries Mimir",
    ("figure", state.SHIELD): "{0:figure} suffers what is not blocked",
    ("figure", state.POISON): "{0:figure} suffers from the poison",
    ("figure", state.CHOSEN): "{0:figure} is affected",
}
TOLD = {  # of what a move tells what it does
    "attack": "2:play", "special": "1:play", "figure": "0:figure", "pay": "0:card", "add": "0:play", "block": "0:play",
    "take": "0:upgrade card", "remove": "0:card", "choose": "0:scenario",
}  # fmt: skip
MORE = {  # what is particular to a move
    **{kind: f"{{{what}}}: {{{what}.does}}" for kind, what in TOLD.items()},
    "hero": "{0:hero.does}",
    "skill": "{0:skill}, {0:skill.does}",
}
ROLES = {"hero": "the hero", "second": "Sindri"}
PHASES = {  # what is to be decided, by the kind of decision
    "hero": "chooses a hero", "place": "enters a column", "bearer": "hangs Mimir on a hero", "turn": "is to act",
    "mimir": "is asked to act", "target": "chooses a target", "figure": "chooses a hero", "pay": "pays card by card",
    "step": "makes the extra move", "set": "adds numbers to the set", "attack_window": "may help the attack",
    "die": "may use the die", "reveal_window": "may act before the reveal", "end_window": "may act at the round's end",
    "ranged_target": "says which column is hit", "shield": "says who suffers", "block": "may block",
    "block_window": "may help the block", "poison": "suffers from poison", "chosen": "chooses who is affected",
    "scry": "looks at upgrade cards", "upgrade": "may take an upgrade or remove a card",
    "next_quest": "chooses the next quest", "next_boss": "chooses the boss",
}  # fmt: skip
ASKED = {  # the same as a question to the player
    "hero": "Choose your hero", "place": "Choose where your hero enters the scene",
    "bearer": "Choose the hero who carries Mimir", "turn": "Act with your hero, or end the turn",
    "mimir": "Act with Mimir, or give the turn back",
    "target": "Choose the target", "figure": "Choose a hero",
    "pay": "Choose the card that pays", "step": "Choose the column of the extra move",
    "set": "Add numbers, or commit the set", "attack_window": "Help the attack, or pass",
    "die": "Use the die, or pass", "reveal_window": "Act before the rune is revealed, or pass",
    "end_window": "Act at the end of the round, or pass", "ranged_target": "Choose the column that is hit",
    "shield": "Choose who suffers: Mimir or his bearer", "block": "Block the attack, or take it",
    "block_window": "Help against the attack, or pass", "poison": "Choose who suffers from the poison",
    "chosen": "Choose the hero who is affected", "scry": "Put the upgrade cards back, on top or to the bottom",
    "upgrade": "Take an upgrade, or remove a card of your discard pile", "next_quest": "Choose the next quest",
    "next_boss": "Choose the boss",
}  # fmt: skip
SYMBOLS = {  # icons of cards and figures
    "melee": "hits the bottom row; enemies' arrows say which columns",
    "ranged": "hits either row; of enemies the farthest column with a hero",
    "block": "makes an enemy's attack weaker",
    "number": "adds to an attack or block",
    "rage": "fills the rage track",
    "ward": "cancels one instance of damage",
    "heart": "health",
    "stun": "the enemy makes no attack in its next activation",
}


def vocabulary(game: Any) -> Vocabulary:
    """The vocabulary for the component file of a game."""
    data = effects.played(game)
    return Vocabulary(
        game.spec.name,
        (
            *(Entry(ACTION, kind, name, does, rule=rule) for kind, (name, does, rule, _) in ACTIONS.items()),
            *(Entry("phase", key, name, ASKED[key]) for key, name in PHASES.items()),
            *(Entry(ADVICE, key, PHASES[key], said) for key, said in effects.FIRST_GAME.items()),
            *(Entry("role", key, name, "who acts of this player's figures", rule="§9") for key, name in ROLES.items()),
            *effects.heroes(data),
            *(
                Entry("rune", key, effects.rune_name(key), "says which scene cards act when it is revealed", rule="§6")
                for key in RUNES
            ),
            *(Entry("symbol", key, key, does, key, "§5.2") for key, does in SYMBOLS.items()),
            *(Entry("operation", key, name, does, rule="§6") for key, (name, does) in effects.OPERATIONS.items()),
            *effects.cards(data),
            *effects.skills(data),
            *effects.scenarios(data),
            *effects.scene_cards(data),
        ),
        WORDS,
        SPOKEN,
        MORE,
    )
