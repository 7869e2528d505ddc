/* node bytecode.mjs FOLDER OUT ARCHIVE ...: archives of a folder with Pyodide, the standard library and NumPy, as byte
   code of its own Python, which then starts in half of the time. What no page uses is left out, also what documents the
   library (NumPy reads its own). Two runs give the same bytes. */
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [folder, out, ...archives] = process.argv.slice(2).map((word, k) => (k < 2 ? resolve(word) : word));
const { loadPyodide } = await import(pathToFileURL(join(folder, "pyodide.mjs")));
const python = await loadPyodide({ indexURL: `${folder}/`, env: { PYTHONHASHSEED: "0", HOME: "/home/pyodide" } });
python.runPython(`
import importlib.util, marshal, re, zipfile
UNUSED = re.compile(
    r"(_pyrepl|unittest|xmlrpc|wsgiref|multiprocessing|pydoc_data|ctypes/macholib|tomllib|zoneinfo)/"
    r"|(turtle|pydoc|doctest|pdb|mailbox|smtplib|ftplib|imaplib|optparse|argparse|tarfile|pickletools)[.]py$"
    r"|numpy/(f2py|ma|polynomial|testing|fft|distutils)/|(.*/)?tests/|.*[.](pyi|h|a|lib)$"
)
CHECKED = importlib.util.MAGIC_NUMBER + (1).to_bytes(4, "little") + bytes(8)  # by nobody: the source is not there

def byte_code(source, target, level):
    with zipfile.ZipFile(source) as old, zipfile.ZipFile(target, "w") as new:
        for name in sorted(name for name in old.namelist() if not name.endswith("/") and not UNUSED.match(name)):
            content = old.read(name)
            if name.endswith(".py"):
                code = compile(content, name, "exec", dont_inherit=True, optimize=level)
                name, content = name + "c", CHECKED + marshal.dumps(code)
            new.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), content, zipfile.ZIP_DEFLATED, 9)
`);
for (const name of archives) {
  python.FS.writeFile("/source.zip", new Uint8Array(readFileSync(join(folder, name))));
  python.runPython(`byte_code("/source.zip", "/target.zip", ${name.startsWith("numpy") ? 0 : 2})`);
  writeFileSync(join(out, name), python.FS.readFile("/target.zip"));
}
