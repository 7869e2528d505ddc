"""Ledgers, in which people write games down: read, played and written."""

from theogony.envs.terra_mystica.ledger.commands import LedgerError as LedgerError
from theogony.envs.terra_mystica.ledger.ledger import load_ledger as load_ledger
from theogony.envs.terra_mystica.ledger.ledger import play_ledger as play_ledger
from theogony.envs.terra_mystica.ledger.ledger import read_ledger as read_ledger
from theogony.envs.terra_mystica.ledger.ledger import write_ledger as write_ledger
