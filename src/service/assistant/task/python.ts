// Python code that the assistant requests to run. It is easy to review and leaves no variables
// behind.

const literal = (value: string | null | readonly string[]): string =>
	value === null ? 'None' : JSON.stringify(value);

/**
 * Wraps code in a function, whose parameters have the values as defaults, and calls the function
 * once.
 */
const called = (
	values: Readonly<Record<string, string | null | readonly string[]>>,
	body: string,
): string => {
	const parameters = Object.entries(values).map(([name, value]) => `${name}=${literal(value)}`);
	const lines = body.trim().split('\n');
	return `def _svc_task(${parameters.join(', ')}):
${lines.map(line => (line === '' ? '' : `    ${line}`)).join('\n')}
try:
    _svc_task()
finally:
    del _svc_task
`;
};

export const runFileCode = (path: string): string =>
	called(
		{path},
		`
import runpy
runpy.run_path(path, run_name="__main__")
`,
	);

/**
 * Runs the tests with pytest if it is available. Otherwise imports the project again and runs
 * unittest in the kernel's process.
 */
export const testsCode = (paths: readonly string[]): string =>
	called(
		{paths},
		`
import importlib.util, inspect, os, runpy, subprocess, sys, unittest
if importlib.util.find_spec("pytest") and sys.platform != "emscripten":
    command = [sys.executable, "-m", "pytest", "-q", "--color=no", *paths]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as tests:
        for line in tests.stdout:
            print(line, end="")
    return
def own():
    here = os.path.join(os.getcwd(), "")
    return {name: module for name, module in sys.modules.items()
            if (getattr(module, "__file__", None) or "").startswith(here) and "site-packages" not in module.__file__}
def needs_pytest():
    raise unittest.SkipTest("it takes arguments, as pytest gives them")
before, path = own(), list(sys.path)
for name in before:
    del sys.modules[name]
suite = unittest.TestSuite()
class NotRead(unittest.TestCase):
    def runTest(self):
        raise self.error
try:
    for file in paths:
        sys.path[:0] = [os.getcwd(), os.path.dirname(os.path.abspath(file))]
        try:
            names = runpy.run_path(file)
        except Exception as error:
            case = NotRead()
            case.error = error
            suite.addTest(case)
            continue
        for name, value in names.items():
            if isinstance(value, type) and issubclass(value, unittest.TestCase):
                suite.addTests(unittest.defaultTestLoader.loadTestsFromTestCase(value))
            elif name.startswith("test") and inspect.isfunction(value):
                takes = inspect.signature(value).parameters
                suite.addTest(unittest.FunctionTestCase(needs_pytest if takes else value, description=f"{file}::{name}"))
    result = unittest.TextTestRunner(stream=sys.stdout).run(suite)
finally:
    sys.path[:] = path
    for name in own():
        del sys.modules[name]
    sys.modules.update(before)
bad = len(result.failures) + len(result.errors)
print(f"{result.testsRun} ran, {bad} failed, {len(result.skipped)} skipped")
`,
	);

export const findCode = (text: string, folder: string): string =>
	called(
		{text, folder: folder === '' ? '.' : folder},
		`
import os
hits, files = 0, 0
exact = text != text.lower()
for place, folders, names in os.walk(folder):
    folders[:] = sorted(each for each in folders if not each.startswith(".") and each not in ("node_modules", "__pycache__", "venv"))
    for name in sorted(names):
        path = os.path.normpath(os.path.join(place, name))
        if name.startswith(".") or os.path.getsize(path) > 2_000_000:
            continue
        try:
            with open(path, encoding="utf-8") as file:
                lines = file.read().splitlines()
        except (OSError, UnicodeDecodeError):
            continue
        found = [(at, line) for at, line in enumerate(lines, 1) if text in (line if exact else line.lower())]
        files += bool(found)
        for at, line in found:
            hits += 1
            if hits <= 50:
                print(f"{path}:{at}: {line.strip()[:160]}")
print(f"{hits} lines in {files} files")
`,
	);

const READ = `
import csv
with open(path, newline="", encoding="utf-8-sig") as file:
    names = file.readline()
    file.seek(0)
    rows = list(csv.DictReader(file, delimiter=max(",;\\t|", key=names.count)))
def number(text):
    try:
        value = float(text)
    except (TypeError, ValueError):
        return None
    return value if value - value == 0 else None
def show(names, lines):
    for line in [names, ["---"] * len(names), *lines]:
        print("| " + " | ".join(str(each).replace("|", "/").replace(chr(10), " ") for each in line) + " |")
`;

/**
 * Prints a row for each column: the number of non-empty cells, and the range if the column is
 * numeric.
 */
export const columnsCode = (path: string): string =>
	called(
		{path},
		`${READ}
print(f"{len(rows)} rows")
lines = []
for name in rows[0] if rows else []:
    if name is None:
        continue
    values = [row[name] for row in rows if row[name] not in (None, "")]
    numbers = [number(value) for value in values]
    if numbers and None not in numbers:
        lines.append([name, len(values), len(set(values)), f"{min(numbers):g}", f"{max(numbers):g}", f"{sum(numbers) / len(numbers):g}"])
    else:
        lines.append([name, len(values), len(set(values)), "", "", ""])
show(["column", "filled", "different", "min", "max", "mean"], lines)
`,
	);

export type Measure = 'min' | 'max' | 'mean' | 'sum' | 'count';

/**
 * Prints the rows with the smallest or largest value, or a sum, mean or count, by group or for all
 * rows.
 */
export const measureCode = (
	path: string,
	{measure, group, value}: {readonly measure: Measure; readonly group: string | null; readonly value: string},
): string =>
	called(
		{path, measure, group, value},
		`${READ}
groups = {}
for row in rows:
    if measure == "count" or number(row[value]) is not None:
        groups.setdefault(row[group] if group else "all", []).append(row)
print(f"{len(rows)} rows")
if measure in ("min", "max"):
    best = []
    for each in groups.values():
        numbers = [number(row[value]) for row in each]
        top = min(numbers) if measure == "min" else max(numbers)
        best += [row for row, one in zip(each, numbers) if one == top]
    best.sort(key=lambda row: number(row[value]), reverse=measure == "max")
    names = [name for name in (rows[0] if rows else []) if name is not None]
    if group:
        names = [group, *(name for name in names if name != group)]
    show(names, [[row[name] for name in names] for row in best])
else:
    def result(each):
        numbers = [number(row[value]) for row in each] if measure != "count" else []
        return len(each) if measure == "count" else sum(numbers) / (len(numbers) if measure == "mean" else 1)
    lines = sorted(((name, result(each), len(each)) for name, each in groups.items()), key=lambda line: line[1])
    show([group or "", "rows" if measure == "count" else f"{measure} of {value}", *(["rows"] if measure != "count" else [])],
         [[name, f"{one:g}", *([count] if measure != "count" else [])] for name, one, count in lines])
`,
	);

/** Prints the traceback of the kernel's last exception if there was one. */
export const LAST_ERROR_CODE = called(
	{},
	`
import sys, traceback
error = getattr(sys, "last_exc", None) or getattr(sys, "last_value", None)
if error is not None:
    traceback.print_exception(error, file=sys.stdout)
`,
);
