import {Command, CommanderError} from 'commander';
import {usageError, type CommandError} from './command-error.ts';
import type {Choice, Run} from './add-command.ts';
import {addCommands} from './command-table.ts';
import type {Globals} from './globals.ts';
import {COMMAND_PAGES, TOPICS} from './topics.ts';

/** Parsed arguments. `run` loads the module of its command and resolves to the exit code. */
export type Parsed =
	| {readonly kind: 'text'; readonly text: string}
	/** The key table of the screens. */
	| {readonly kind: 'keys'}
	/** A page of src/docs. `text`: help of a command, which precedes the page, or empty. */
	| {readonly kind: 'page'; readonly text: string; readonly page: string}
	| {readonly kind: 'wrong'; readonly error: CommandError}
	| {readonly kind: 'info'; readonly globals: Globals}
	| {readonly kind: 'command'; readonly globals: Globals; readonly run: Run};

export const FOOT = `
Service  --base-url or --profile, then SVC_BASE_URL, then the default profile, then the local service,
         which is started if it is not running.
API key  --api-key-file, then SVC_API_KEY, then the profile's key. The local service has its own.
Exit     0 success, 1 service error, 2 usage or settings error, 3 not found, 4 key missing or rejected,
         5 timeout or unreachable, 6 the code raised an error (sys.exit(n): n), 128+n killed by signal n.
         serve also: 69 port in use, 73 data folder in use, 77 folder or file not safe.
Topics   svc-tui help TOPIC, where TOPIC is a command or one of
         ${TOPICS.slice(0, 8).join(', ')},
         ${TOPICS.slice(8).join(', ')}.
Without a command, svc-tui opens the full-screen program. It also takes --here (open the current folder as a local server),
--theme terminal|dark|light|high-contrast, --ascii, --screen-reader (plain lines of text instead of screens) and
--fresh (start at the server list, not where you left off).`;

/** Root command without subcommands. */
export const createRoot = (version: string): Command =>
	new Command('svc-tui')
		.description('Rent and use notebook servers from the terminal.')
		.usage('[options] [command]')
		.version(version, '-V, --version', 'print the version')
		.helpOption('-h, --help', 'show help')
		.helpCommand(false)
		.option('--base-url <URL>', 'address of the service')
		.option('--profile <NAME>', 'profile from the settings; "local" is the service on this machine')
		.option('--api-key-file <FILE>', 'file with the API key; - for standard input')
		.option('--ca-file <FILE>', 'extra CA certificate (PEM file)')
		.option(
			'--client-cert-file <FILE>',
			'certificate of this client, for a service that asks for one (PEM file)',
		)
		.option('--client-key-file <FILE>', 'private key of that certificate, if it is in another file')
		.option('--insecure-http', 'allow sending the key unencrypted to another machine')
		.option('--json', 'print JSON, errors included')
		.option('--jsonl', 'like --json, one list item or answer fragment per line')
		.configureHelp({showGlobalOptions: true})
		.exitOverride();

type Listeners = {
	readonly choose: (choice: Choice) => void;
	readonly write: (text: string) => void;
	/** Called with the page that is shown after the help of a command. */
	readonly page: (name: string) => void;
};

const find = (root: Command, words: readonly string[]): Command | undefined =>
	words.reduce<Command | undefined>(
		(command, word) => command?.commands.find(each => each.name() === word),
		root,
	);

export const commandRoot = (
	version: string,
	{choose, write, page}: Listeners = {choose() {}, write() {}, page() {}},
): Command => {
	// Set before the commands are added, which inherit it.
	const root = createRoot(version).configureOutput({writeOut: write, writeErr() {}});
	root.addHelpText('after', FOOT);
	addCommands(root, choose);
	for (const [name, ending] of Object.entries(COMMAND_PAGES))
		find(root, [name])?.addHelpText('after', () => {
			page(ending);
			return '';
		});
	return root;
};

const globalsOf = (root: Command): Globals => {
	const options = root.opts<Partial<Globals>>();
	return {...options, json: options.json === true || options.jsonl === true};
};

const JSON_FLAGS: ReadonlySet<string> = new Set(['--json', '--jsonl']);

const fullName = (command: Command): string =>
	command.parent ? `${fullName(command.parent)} ${command.name()}` : command.name();

/** Converts commander's message to a sentence. */
const sentenceOf = (message: string): string => {
	const [first = '', ...hints] = message.replace(/^error: /, '').split('\n');
	return [
		`${first.charAt(0).toUpperCase()}${first.slice(1).replace(/\.?$/, '.')}`,
		...hints.map(hint => hint.replace(/^\((.*)\)$/, '$1')),
	].join(' ');
};

/** Innermost command among the arguments, for the hint. */
const about = (root: Command, args: readonly string[]): Command =>
	args.reduce((command, word) => find(command, [word]) ?? command, root);

/** Parses arguments, without accessing the process. Invalid input never makes it throw. */
export const parseCommand = (args: readonly string[], version: string): Parsed => {
	let choice: Choice | undefined;
	let text = '';
	let page: string | undefined;
	const root = commandRoot(version, {
		choose(chosen) {
			choice = chosen;
		},
		write(part) {
			text += part;
		},
		page(name) {
			page = name;
		},
	});
	// `svc-tui --json help query` means the same as `svc-tui help query --json`.
	const isHelp = args.find(arg => !JSON_FLAGS.has(arg)) === 'help';
	const [first, ...rest] = isHelp ? args.filter(arg => !JSON_FLAGS.has(arg)) : args;
	const topic = first === 'help' && rest.length === 1 ? TOPICS.find(each => each === rest[0]) : undefined;
	if (topic !== undefined) return topic === 'keys' ? {kind: 'keys'} : {kind: 'page', text: '', page: topic};
	const words = first === 'help' ? (find(root, rest) ? [...rest, '--help'] : rest) : args;
	try {
		root.parse([...words], {from: 'user'});
	} catch (error) {
		if (!(error instanceof CommanderError)) throw error;
		if (error.code === 'commander.helpDisplayed' || error.code === 'commander.version')
			return page === undefined ? {kind: 'text', text} : {kind: 'page', text: `${text.trimEnd()}\n\n`, page};
		const command = about(root, words);
		const below = command.createHelp().visibleCommands(command);
		const names = below.map(each => each.name()).join(', ');
		const message =
			error.code === 'commander.help'
				? `${fullName(command)} needs a subcommand: ${names}.`
				: sentenceOf(error.message);
		const next =
			isHelp && command === root
				? `svc-tui help takes a command or a topic: ${TOPICS.join(', ')}.`
				: `${fullName(command)} --help shows how.`;
		return {kind: 'wrong', error: usageError(message, next)};
	}
	const globals = globalsOf(root);
	// Reached only if other options precede `serve`. Otherwise `serve` is parsed elsewhere.
	if (choice?.name === 'serve') {
		const next = 'svc-tui serve --help shows how.';
		return {kind: 'wrong', error: usageError('Put options after serve, not before it.', next)};
	}
	if (choice?.name === 'info') return {kind: 'info', globals};
	if (choice?.name === 'command') return {kind: 'command', globals, run: choice.run};
	return {kind: 'wrong', error: usageError('Name a command.')};
};
