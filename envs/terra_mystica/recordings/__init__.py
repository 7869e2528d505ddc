"""Games from outside: recordings of other engines, ledgers that people write, and datasets made from both."""

from theogony.envs.terra_mystica.recordings.commands import LedgerError as LedgerError
from theogony.envs.terra_mystica.recordings.dataset import dataset as dataset
from theogony.envs.terra_mystica.recordings.ledger import load_ledger as load_ledger
from theogony.envs.terra_mystica.recordings.ledger import play_ledger as play_ledger
from theogony.envs.terra_mystica.recordings.ledger import read_ledger as read_ledger
from theogony.envs.terra_mystica.recordings.reader import recordings as recordings
from theogony.envs.terra_mystica.recordings.writer import write_ledger as write_ledger
