import {Argument, Option, type Command} from 'commander';
import {COMPUTE_HELP, type ComputeOptions} from './compute-options.ts';
import type {WatchOptions} from './compute-watch.ts';
import {SHELLS, type Shell} from './shells.ts';
import type {Context} from './context.ts';
import {EXISTING, type ExistingOption} from './existing.ts';
import type {OpenOptions} from './server-open.ts';
import {SERVE_OPTIONS} from './serve-options.ts';
import {FILES_HELP, RECIPE_HELP} from './topics.ts';
import type {UpOptions} from './up.ts';

/** Answers the exit code. */
export type Run = (context: Context) => Promise<number>;

/** What the arguments chose; `serve` and `info` are the composition root's own. */
export type Choice = {readonly name: 'serve' | 'info'} | {readonly name: 'command'; readonly run: Run};

type Choose = (run: Run) => void;

const addServers = (root: Command, choose: Choose): void => {
	root
		.command('servers')
		.description('list your servers')
		.action(() => choose(async context => (await import('./servers.ts')).listServers(context)));
	const server = root
		.command('server')
		.description('create, start, wait for or open a server')
		.usage('create|start|wait|open NAME [options]')
		.helpCommand(false);
	server
		.command('create')
		.description('create a server and start it')
		.usage('NAME --environment E --compute C [options]')
		.argument('<NAME>', 'name of the new server')
		.requiredOption('--environment <E>', 'an id that svc-tui environments lists')
		.requiredOption('--compute <C>', 'an id that svc-tui compute lists')
		.option('--port <N>', 'port of the notebook server (8888)')
		.option('--wait', 'until it is ready')
		.action((name: string, options: {environment: string; compute: string; port?: string; wait?: boolean}) =>
			choose(async context => (await import('./servers.ts')).createServer(context, name, options)),
		);
	server
		.command('start')
		.description('start a server with the settings of its last start')
		.usage('NAME [options]')
		.argument('<NAME>')
		.option('--wait', 'until it is ready; returns at once if it is ready already')
		.action((name: string, options: {wait?: boolean}) =>
			choose(async context => (await import('./servers.ts')).startServer(context, name, options)),
		);
	server
		.command('wait')
		.description('wait until a server is ready')
		.usage('NAME [options]')
		.argument('<NAME>')
		.option('--timeout <S>', 'give up after this many seconds, with exit code 5 (300)')
		.action((name: string, options: {timeout?: string}) =>
			choose(async context => (await import('./servers.ts')).waitForServer(context, name, options)),
		);
	server
		.command('open')
		.description('open a server in the browser')
		.usage('NAME [options]')
		.argument('<NAME>')
		.option('--editor', 'its editor')
		.option('--forward', 'its forward address')
		.option('--print', 'print the address, without its token; so it is where there is no browser')
		.option('--with-token', 'print it with its token')
		.action((name: string, options: OpenOptions) =>
			choose(async context => (await import('./server-open.ts')).openServer(context, name, options)),
		);
};

const addUp = (root: Command, choose: Choose): void => {
	root
		.command('up')
		.description('create a server from a recipe: the cheapest compute for a query, its files, warm-up code')
		.usage('RECIPE [options]')
		.argument('<RECIPE>', 'YAML file')
		.option('--yes', 'accept the price without being asked; needed where there is no terminal')
		.option('--max-price <P>', 'maximum price per hour, whatever the recipe says')
		.option('--dry-run', 'only show what would be done')
		.option('--timeout <S>', 'wait this many seconds for it to be ready (300)')
		.addHelpText('after', `\n${RECIPE_HELP}`)
		.action((recipe: string, options: UpOptions) =>
			choose(async context => (await import('./up.ts')).up(context, recipe, options)),
		);
};

/** One name for one thing: the screens' chips, the typed query and these options make the same filter. */
const addFilter = (command: Command): Command =>
	command
		.option('--region <R...>', 'offered in this region, letter for letter; several are a union')
		.option('--gpu <MODEL>', 'this GPU model, whole but in any letter case: A100 is not "A100 80G"')
		.option('--min-gpus <N>', 'minimum number of GPUs')
		.option('--min-vram <GB>', 'minimum gigabytes of VRAM per GPU')
		.option('--max-price <P>', 'maximum price per hour')
		.option('--cpu-only', 'without a GPU')
		.option('--host <HOST>', 'of this host, in any letter case')
		.option('--available', 'available now, in one of the regions named')
		.option('--query <QUERY>', "the same as one text: 'gpu:h100 n>=2 vram>=80 price<6'");

const addCatalogue = (root: Command, choose: Choose): void => {
	const compute = addFilter(
		root
			.command('compute')
			.description('list what a server can run on, with price and availability')
			.usage('[options]'),
	)
		.option('--sort <COLUMN>', 'price, n, vram and the like; -price puts the highest first')
		.addHelpText('after', COMPUTE_HELP)
		.action((options: ComputeOptions) =>
			choose(async context => (await import('./compute.ts')).listCompute(context, options)),
		);
	compute
		.command('watch')
		.description('wait until something that matches a compute filter is available, and list it')
		.usage('[options]')
		.option('--every <S>', 'seconds between checks (30)')
		.option('--timeout <S>', 'give up after this many seconds, with exit code 5')
		.action((_: unknown, command: Command) =>
			choose(async context =>
				(await import('./compute-watch.ts')).watchCompute(context, command.optsWithGlobals<WatchOptions>()),
			),
		);
	root
		.command('environments')
		.description('list the software a server can have')
		.action(() => choose(async context => (await import('./environments.ts')).listEnvironments(context)));
};

const existing = (what: string): Option => new Option('--existing <WHAT>', what).choices(EXISTING);

const addFiles = (root: Command, choose: Choose): void => {
	const files = root
		.command('files')
		.description('list, get or put files of a server')
		.usage('list|get|put SERVER ...')
		.helpCommand(false)
		.addHelpText('after', `\n${FILES_HELP}`);
	files
		.command('list')
		.description('list a folder, or one file')
		.usage('SERVER [PATH]')
		.argument('<SERVER>')
		.argument('[PATH]', 'folder; the root by default')
		.action((server: string, path: string | undefined) =>
			choose(async context => (await import('./files.ts')).listFiles(context, server, path)),
		);
	files
		.command('get')
		.description('print a file, byte for byte in a pipe; or bring a folder here')
		.usage('SERVER PATH [-o FILE]')
		.argument('<SERVER>')
		.argument('<PATH>')
		.option('-o, --output <FILE>', 'write it to a file; a folder goes below this one')
		.addOption(existing('of a folder: overwrite (the default) or skip files that are here'))
		.action((server: string, path: string, options: ExistingOption & {output?: string}) =>
			choose(async context => (await import('./files.ts')).getFile(context, server, path, options)),
		);
	files
		.command('put')
		.description('write a file, or several')
		.usage('SERVER LOCAL|- [LOCAL ...] [REMOTE]')
		.argument('<SERVER>')
		.argument(
			'<LOCAL...>',
			"file, folder or 'pattern' here; - is standard input. Last the path there: by default the local name; of several a folder, with a trailing /",
		)
		.addOption(existing('overwrite (the default) or skip files that are there'))
		.action((server: string, paths: string[], options: ExistingOption) =>
			choose(async context => (await import('./files.ts')).putFile(context, server, paths, options)),
		);
};

const addWork = (root: Command, choose: Choose): void => {
	root
		.command('run')
		.description('run Python on a server')
		.usage('SERVER [FILE|-] [-c CODE] [options]')
		.argument('<SERVER>')
		.argument('[FILE]', 'Python file here; - is standard input, which is read by default in a pipe')
		.option('-c, --code <CODE>', 'the code itself')
		.option('--kernel <K>', 'kernel name (python3)')
		.action((server: string, file: string | undefined, options: {code?: string; kernel?: string}) =>
			choose(async context => (await import('./cells.ts')).runCode(context, server, file, options)),
		);
	root
		.command('chat')
		.description('ask the assistant of a server')
		.usage('SERVER [-m MODEL] [PROMPT|-]')
		.argument('<SERVER>')
		.argument('[PROMPT]', 'the question, in quotes; - is standard input, which is read by default in a pipe')
		.option('-m, --model <MODEL>', 'model_1 to model_5 (model_2)')
		.action((server: string, prompt: string | undefined, options: {model?: string}) =>
			choose(async context => (await import('./assistant.ts')).chat(context, server, prompt, options)),
		);
};

const addServe = (root: Command, chosen: () => void): void => {
	const serve = root
		.command('serve')
		.description('run the local service')
		.usage('[options]')
		.configureHelp({showGlobalOptions: false})
		.addHelpText(
			'after',
			'\nThe key is SVC_API_KEY, else one made at the first start; its file is printed, never the key.\nWithout --data the screens and commands find this service by themselves, unless SVC_API_KEY or --keys gives its keys.',
		);
	for (const [name, {value, what}] of Object.entries(SERVE_OPTIONS))
		serve.addOption(
			new Option(value === '' ? `--${name}` : `--${name} <${value}>`, what).hideHelp(name === 'leased'),
		);
	serve.action(chosen);
};

/** Adds every command. Each loads its own module only when it is the one chosen. */
export const addCommands = (root: Command, choose: (choice: Choice) => void): void => {
	const command: Choose = run => choose({name: 'command', run});
	addServers(root, command);
	addUp(root, command);
	addCatalogue(root, command);
	addFiles(root, command);
	addWork(root, command);
	// The boot file takes it to the screens; here it has its help.
	root
		.command('open')
		.description(
			'open the full-screen program at a server: its files, a line of one, its REPL or its assistant',
		)
		.usage('SERVER [files [PATH[:LINE]] | repl | chat]')
		.argument('[WORDS...]')
		.action(() =>
			command(async () => {
				const {usageError} = await import('./command-error.ts');
				throw usageError(
					'open is the full-screen program: it takes neither --json nor --jsonl.',
					'svc-tui files, run and chat print what its panes show.',
				);
			}),
		);
	root
		.command('login')
		.description(
			'sign in to a service: --base-url names it, --profile what to call it; the key is asked for, or piped in',
		)
		.usage('[--base-url URL] [--profile NAME]')
		.action(() => command(async context => (await import('./sign-in.ts')).login(context)));
	root
		.command('logout')
		.description('remove the stored key of a profile')
		.usage('[--profile NAME]')
		.action(() => command(async context => (await import('./sign-in.ts')).logout(context)));
	addServe(root, () => choose({name: 'serve'}));
	root
		.command('completion')
		.description(
			"print a shell's completion script, which also knows your servers: source <(svc-tui completion bash)",
		)
		.usage('bash|zsh|fish')
		.addArgument(new Argument('<SHELL>').choices(SHELLS))
		.action((shell: Shell) =>
			command(async context => (await import('./completion.ts')).printCompletion(context, shell)),
		);
	root
		.command('info')
		.description('print versions, paths and what the terminal can do')
		.action(() => choose({name: 'info'}));
};
