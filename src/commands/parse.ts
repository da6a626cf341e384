import {Command, CommanderError, Option} from 'commander';
import {usageError, type CommandError} from './command-error.ts';
import type {Context} from './context.ts';
import type {Globals} from './globals.ts';
import {SERVE_OPTIONS} from './serve-options.ts';

/** What the arguments ask for. `run` loads its command's own module and answers the exit code. */
export type Parsed =
	| {readonly kind: 'text'; readonly text: string}
	| {readonly kind: 'wrong'; readonly error: CommandError}
	| {readonly kind: 'serve'}
	| {readonly kind: 'info'; readonly globals: Globals}
	| {readonly kind: 'command'; readonly globals: Globals; readonly run: (context: Context) => Promise<number>};

const FOOT = `
Service  --base-url, else SVC_BASE_URL, else a local one, which is started when none runs.
Key      --api-key-file, else SVC_API_KEY; the local service has its own.
Exit     0 done, 1 the service could not, 2 wrong usage or settings, 3 not found, 4 key missing or refused,
         5 timeout or unreachable, 6 the code raised, 128+n ended by signal n. serve adds 69 port taken,
         73 data folder in use, 77 folder or file not safe.
With no command: the full-screen program.`;

const createRoot = (version: string): Command =>
	new Command('svc-tui')
		.description('Notebook servers from the terminal.')
		.usage('[options] [command]')
		.version(version, '-V, --version', 'print the version')
		.helpOption('-h, --help', 'show help')
		.helpCommand(false)
		.option('--base-url <URL>', 'the service')
		.option('--api-key-file <FILE>', 'file that holds the API key; - is standard input')
		.option('--ca-file <FILE>', 'PEM file of an authority to trust besides the usual ones')
		.option('--json', 'print JSON, errors included')
		.configureHelp({showGlobalOptions: true})
		.exitOverride();

const globalsOf = (root: Command): Globals => {
	const {baseUrl, apiKeyFile, caFile, json} = root.opts<{baseUrl?: string; apiKeyFile?: string; caFile?: string; json?: boolean}>();
	return {
		json: json === true,
		...(baseUrl !== undefined && {baseUrl}),
		...(apiKeyFile !== undefined && {apiKeyFile}),
		...(caFile !== undefined && {caFile}),
	};
};

type Choose = (run: (context: Context) => Promise<number>) => void;

const addServers = (root: Command, choose: Choose): void => {
	root.command('servers').description('list your servers')
		.action(() => choose(async context => (await import('./servers.ts')).listServers(context)));
	const server = root.command('server').description('create or start a server').usage('create|start NAME [options]');
	server.command('create').description('create a server and start it').usage('NAME --environment E --compute C [options]').argument('<NAME>', 'name of the new server')
		.requiredOption('--environment <E>', 'an id that svc-tui environments lists')
		.requiredOption('--compute <C>', 'an id that svc-tui compute lists')
		.option('--port <N>', 'port of the notebook server (8888)')
		.option('--wait', 'until it is ready')
		.action((name: string, options: {environment: string; compute: string; port?: string; wait?: boolean}) =>
			choose(async context => (await import('./servers.ts')).createServer(context, name, options)));
	server.command('start').description('start a server with the settings of its last start').usage('NAME [options]').argument('<NAME>')
		.option('--wait', 'until it is ready; one that is ready already is as good')
		.action((name: string, options: {wait?: boolean}) => choose(async context => (await import('./servers.ts')).startServer(context, name, options)));
};

const addCatalogue = (root: Command, choose: Choose): void => {
	root.command('compute').description('list what a server can run on, with price and availability')
		.option('--region <R...>', 'offered in this region, letter for letter; several are a union')
		.option('--gpu <MODEL>', 'this GPU model, whole but in any letter case: A100 is not "A100 80G"')
		.option('--available', 'available now, in one of the regions named')
		.action(({region = [], gpu, available = false}: {region?: string[]; gpu?: string; available?: boolean}) =>
			choose(async context => (await import('./compute.ts')).listCompute(context, {regions: region, available, ...(gpu !== undefined && {gpu})})));
	root.command('environments').description('list the software a server can have')
		.action(() => choose(async context => (await import('./environments.ts')).listEnvironments(context)));
};

const addFiles = (root: Command, choose: Choose): void => {
	const files = root.command('files').description('list, get or put files of a server').usage('list|get|put SERVER ...');
	files.command('list').description('list a folder, or one file').usage('SERVER [PATH]').argument('<SERVER>').argument('[PATH]', 'folder; the root by default')
		.action((server: string, path: string | undefined) => choose(async context => (await import('./files.ts')).listFiles(context, server, path)));
	files.command('get').description('print a file, byte for byte in a pipe').usage('SERVER PATH [-o FILE]').argument('<SERVER>').argument('<PATH>')
		.option('-o, --output <FILE>', 'write it to a file')
		.action((server: string, path: string, options: {output?: string}) => choose(async context => (await import('./files.ts')).getFile(context, server, path, options)));
	files.command('put').description('write a file').usage('SERVER LOCAL|- [REMOTE]').argument('<SERVER>').argument('<LOCAL>', 'file here; - is standard input').argument('[REMOTE]', "path there; the local file's name by default")
		.action((server: string, local: string, remote: string | undefined) => choose(async context => (await import('./files.ts')).putFile(context, server, local, remote)));
};

const addWork = (root: Command, choose: Choose): void => {
	root.command('run').description('run Python on a server').usage('SERVER [FILE|-] [-c CODE] [options]').argument('<SERVER>').argument('[FILE]', 'Python file here; - is standard input, which is read by default in a pipe')
		.option('-c, --code <CODE>', 'the code itself')
		.option('--kernel <K>', 'kernel name (python3)')
		.action((server: string, file: string | undefined, options: {code?: string; kernel?: string}) => choose(async context => (await import('./cells.ts')).runCode(context, server, file, options)));
	root.command('chat').description('ask the assistant of a server').usage('SERVER [-m MODEL] [PROMPT|-]').argument('<SERVER>').argument('[PROMPT]', 'the question, in quotes; - is standard input, which is read by default in a pipe')
		.option('-m, --model <MODEL>', 'model_1 to model_5 (model_2)')
		.action((server: string, prompt: string | undefined, options: {model?: string}) => choose(async context => (await import('./assistant.ts')).chat(context, server, prompt, options)));
};

const addServe = (root: Command, chosen: () => void): void => {
	const serve = root.command('serve').description('run the local service').usage('[options]')
		.addHelpText('after', '\nThe key is SVC_API_KEY, else one made at the first start; its file is printed, never the key.\nWithout --data the screens and commands find this service by themselves, unless SVC_API_KEY or --keys gives its keys.');
	for (const [name, {value, what}] of Object.entries(SERVE_OPTIONS)) serve.addOption(new Option(value === '' ? `--${name}` : `--${name} <${value}>`, what).hideHelp(name === 'leased'));
	serve.action(chosen);
};

const fullName = (command: Command): string => (command.parent ? `${fullName(command.parent)} ${command.name()}` : command.name());

/** Commander's message as one sentence; the command that it is about is known only where it was found. */
const sentenceOf = (message: string): string => {
	const [first = '', ...hints] = message.replace(/^error: /, '').split('\n');
	return [`${first.charAt(0).toUpperCase()}${first.slice(1).replace(/\.?$/, '.')}`, ...hints.map(hint => hint.replace(/^\((.*)\)$/, '$1'))].join(' ');
};

const find = (root: Command, words: readonly string[]): Command | undefined =>
	words.reduce<Command | undefined>((command, word) => command?.commands.find(each => each.name() === word), root);

/** The innermost command that the arguments name, for the advice. */
const about = (root: Command, args: readonly string[]): Command => {
	let command = root;
	for (const word of args) command = find(command, [word]) ?? command;
	return command;
};

/** Never throws for what the user typed, and knows nothing of the process. */
export const parseCommand = (args: readonly string[], version: string): Parsed => {
	const root = createRoot(version);
	let text = '';
	root.configureOutput({
		writeOut(part) {
			text += part;
		},
		writeErr() {},
	});
	root.addHelpText('after', FOOT);
	let run: ((context: Context) => Promise<number>) | undefined;
	let other: 'serve' | 'info' | undefined;
	const choose: Choose = chosen => {
		run = chosen;
	};
	addServers(root, choose);
	addCatalogue(root, choose);
	addFiles(root, choose);
	addWork(root, choose);
	addServe(root, () => {
		other = 'serve';
	});
	root.command('info').description('print versions, paths and what the terminal can do').action(() => {
		other = 'info';
	});

	const [first, ...rest] = args;
	const wanted = first === 'help' ? find(root, rest) : undefined;
	if (wanted) return {kind: 'text', text: wanted === root ? root.helpInformation() + `${FOOT}\n` : wanted.helpInformation()};
	const words = first === 'help' ? rest : args;
	try {
		root.parse([...words], {from: 'user'});
	} catch (error) {
		if (!(error instanceof CommanderError)) throw error;
		if (error.code === 'commander.helpDisplayed' || error.code === 'commander.version') return {kind: 'text', text};
		const command = about(root, words);
		const message = error.code === 'commander.help' ? `${fullName(command)} needs one of ${command.commands.map(each => each.name()).join(', ')} after it.` : sentenceOf(error.message);
		return {kind: 'wrong', error: usageError(message, `${fullName(command)} --help shows how.`)};
	}
	const globals = globalsOf(root);
	if (other === 'serve' && globals.json) return {kind: 'wrong', error: usageError('serve takes no --json.', 'svc-tui serve --help shows how.')};
	if (other === 'serve') return {kind: 'serve'};
	if (other === 'info') return {kind: 'info', globals};
	if (run) return {kind: 'command', globals, run};
	return {kind: 'wrong', error: usageError('Name a command.')};
};
