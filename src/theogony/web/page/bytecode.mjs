/* node bytecode.mjs RUNTIME OUT ARCHIVE ...: archives of Python's modules, as byte code of the Python of a folder with
   Pyodide, which then starts in half of the time. What no page uses is left out of its library and of NumPy, and also
   what documents the library and our own package (NumPy reads its own). Two runs give the same bytes. */
import { readFileSync, writeFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [folder, out, ...archives] = process.argv.slice(2).map((word) => resolve(word));
const { loadPyodide } = await import(pathToFileURL(join(folder, "pyodide.mjs")));
const python = await loadPyodide({ indexURL: `${folder}/`, env: { PYTHONHASHSEED: "0", HOME: "/home/pyodide" } });
python.runPython(`
import importlib.util, marshal, re, zipfile
UNUSED = re.compile(
    r"(_pyrepl|unittest|xmlrpc|wsgiref|multiprocessing|pydoc_data|ctypes/macholib|tomllib|zoneinfo|email|http|xml)/"
    r"|(turtle|pydoc|doctest|pdb|bdb|mailbox|smtplib|poplib|ftplib|imaplib|optparse|argparse|tarfile|pickletools|plistlib|wave"
    r"|pstats|profile|cProfile|trace|modulefinder|socketserver|compileall|pyclbr|tabnanny|configparser)[.]py$"
    r"|encodings/(cp(?!437)\\d|iso|mac|koi|kz|big5|euc|gb|hp_|shift|johab|ptcp|tis|palmos|hz)\\w*[.]py$"
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
for (const path of archives) {
  const name = basename(path);
  python.FS.writeFile("/source.zip", new Uint8Array(readFileSync(path)));
  python.runPython(`byte_code("/source.zip", "/target.zip", ${name.startsWith("numpy") ? 0 : 2})`);
  writeFileSync(join(out, name), python.FS.readFile("/target.zip"));
}
