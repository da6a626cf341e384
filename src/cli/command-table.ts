import {Argument, Option, type Command} from 'commander';
import {METHODS} from '../api/methods.ts';
import {COLUMNS} from '../settings/columns.ts';
import {add, type Choice, type Runs} from './add-command.ts';
import {COMPUTE_HELP} from './compute-options.ts';
import {SHELLS} from './shells.ts';
import {EXISTING} from './existing.ts';
import {SERVE_OPTIONS} from './serve-options.ts';
import {addJobs} from './job-table.ts';

const addServers = (root: Command, runs: Runs): void => {
	add(root, 'servers [options]', 'list your servers')
		.option('--columns <LIST>', `of the table, in this order: ${COLUMNS.servers.join(',')}`)
		.action(runs(async () => (await import('./servers.ts')).listServers));
	const server = add(
		root,
		'server create|start|wait|stop|open NAME [options]',
		'create, start, wait for, shut down or open a server',
	).helpCommand(false);
	add(
		server,
		'create NAME --environment E --compute C [options]',
		'create a server and start it; with --folder one of a folder here',
	)
		.argument('[NAME]', 'name of the new server; one of a folder has the name of that')
		.option('--environment <E>', 'an id that svc-tui environments lists')
		.option('--compute <C>', 'an id that svc-tui compute lists')
		.option('--port <N>', 'port of the notebook server (8888)')
		.option('--wait', 'until it is ready')
		.option('--folder <DIR>', 'alone: a local server whose files are this folder, nothing copied')
		.option('--yes', 'open the folder without being asked; needed where there is no terminal')
		.addOption(new Option('--only').hideHelp())
		.action(runs(async () => (await import('./servers.ts')).createServer));
	add(server, 'start NAME [options]', 'start a server with the settings of its last start')
		.argument('<NAME>')
		.option('--wait', 'until it is ready; returns at once if it is ready already')
		.action(runs(async () => (await import('./servers.ts')).startServer));
	add(server, 'wait NAME [options]', 'wait until a server is ready')
		.argument('<NAME>')
		.option('--timeout <S>', 'give up after this many seconds, with exit code 5 (300)')
		.action(runs(async () => (await import('./servers.ts')).waitForServer));
	add(server, 'stop NAME [--yes]', 'shut a server down, and wait until it is offline; its files stay')
		.argument('<NAME>')
		.option('--yes', 'end one that is attached, too: somebody else has started it')
		.action(runs(async () => (await import('./server-stop.ts')).stopServer));
	add(server, 'open NAME [options]', 'open a server in the browser')
		.argument('<NAME>')
		.option('--editor', 'its editor')
		.option('--forward', 'its forward address')
		.option('--print', 'print the address, without its token; so it is where there is no browser')
		.option('--with-token', 'print it with its token')
		.action(runs(async () => (await import('./server-open.ts')).openServer));
	add(root, 'cost [options]', 'what servers cost over days, as far as it was seen: an estimate, no bill')
		.option('--since <WHEN>', 'the last days, today with them, or a day: 30d, 2026-11-01 (7d)')
		.option('--server <NAME>', 'of this server')
		.action(runs(async () => (await import('./costs/cost.ts')).printCosts));
	const attach = add(
		root,
		'attach [options]',
		'put a running Jupyter Server into your list; its address with its token is asked for, or piped in',
	)
		.argument('[WORDS...]')
		.option('--name <NAME>', 'what to call it; by default its address says it')
		.option('--insecure-token', 'let the token travel in the clear to an http address of another machine')
		.action(runs(async () => (await import('./attach.ts')).attachServer));
	// Arguments are public on this machine: these options exist only to be refused with a hint.
	for (const name of ['token', 'url', 'address'])
		attach.addOption(new Option(`--${name} [VALUE]`).hideHelp());
	add(root, 'detach NAME', 'take an attached server out of your list; nothing there is stopped')
		.argument('<NAME>')
		.action(runs(async () => (await import('./attach.ts')).detachServer));
	add(
		root,
		'up RECIPE [options]',
		'create a server from a recipe: the cheapest compute for a query, its files, warm-up code',
	)
		.argument('<RECIPE>', 'YAML file')
		.option('--yes', 'accept the price without being asked; needed where there is no terminal')
		.option('--max-price <P>', 'maximum price per hour, whatever the recipe says')
		.option('--dry-run', 'only show what would be done')
		.option('--timeout <S>', 'wait this many seconds for it to be ready (300)')
		.action(runs(async () => (await import('./up.ts')).up));
};

const addCatalogue = (root: Command, runs: Runs): void => {
	// These options, the typed query and the filters of the screens set the same filter.
	const compute = add(root, 'compute [options]', 'list what a server can run on, with price and availability')
		.option('--region <R...>', 'offered in this region, letter for letter; several are a union')
		.option('--gpu <MODEL>', 'this GPU model, whole but in any letter case: A100 is not "A100 80G"')
		.option('--min-gpus <N>', 'minimum number of GPUs')
		.option('--min-vram <GB>', 'minimum gigabytes of VRAM per GPU')
		.option('--max-price <P>', 'maximum price per hour')
		.option('--cpu-only', 'without a GPU')
		.option('--host <HOST>', 'of this host, in any letter case')
		.option('--available', 'available now, in one of the regions named')
		.option('--query <QUERY>', "the same as one text: 'gpu:h100 n>=2 vram>=80 price<6'")
		.option('--sort <COLUMN>', 'price, n, vram and the like; -price puts the highest first')
		.option('--columns <LIST>', 'of the table behind the id, in this order: gpu,price,host and the like')
		.addHelpText('after', COMPUTE_HELP)
		.action(runs(async () => (await import('./compute.ts')).listCompute));
	add(
		compute,
		'watch [options]',
		'wait until something that matches a compute filter is available, and list it',
	)
		.option('--every <S>', 'seconds between checks (30)')
		.option('--timeout <S>', 'give up after this many seconds, with exit code 5')
		.action((_: unknown, command: Command) =>
			runs(async () => (await import('./compute-watch.ts')).watchCompute)(command.optsWithGlobals()),
		);
	add(root, 'environments', 'list the software a server can have').action(
		runs(async () => (await import('./environments.ts')).listEnvironments),
	);
};

const existing = (what: string): Option => new Option('--existing <WHAT>', what).choices(EXISTING);

const collected = (value: string, before: readonly string[] = []): readonly string[] => [...before, value];

const addWork = (root: Command, runs: Runs): void => {
	const files = add(
		root,
		'files list|get|put|sync|mv|mkdir|rm ...',
		'list, get, put, keep in step, move or delete files of a server',
	).helpCommand(false);
	add(files, 'list SERVER [PATH]', 'list a folder, or one file')
		.argument('<SERVER>')
		.argument('[PATH]', 'folder; the root by default')
		.action(runs(async () => (await import('./files.ts')).listFiles));
	add(files, 'get SERVER PATH [-o FILE]', 'print a file, byte for byte in a pipe; or bring a folder here')
		.argument('<SERVER>')
		.argument('<PATH>')
		.option('-o, --output <FILE>', 'write it to a file; a folder goes below this one')
		.addOption(
			existing(
				'of a folder: overwrite or skip files that are here; by default only hidden ones are asked about',
			),
		)
		.action(runs(async () => (await import('./files.ts')).getFile));
	add(files, 'put SERVER LOCAL|- [LOCAL ...] [REMOTE]', 'write a file, or several')
		.argument('<SERVER>')
		.argument(
			'<LOCAL...>',
			"file, folder or 'pattern' here; - is standard input. Last the path there: by default the local name; of several a folder, with a trailing /",
		)
		.addOption(existing('overwrite (the default) or skip files that are there'))
		.action(runs(async () => (await import('./files.ts')).putFile));
	add(files, 'sync LOCAL SERVER:PATH [options]', 'send what differs in a folder here to one on a server')
		.argument('<LOCAL>', 'folder here; what .gitignore names, .git and links are left out')
		.argument('<SERVER:PATH>', 'folder there, which is made where there is none; SERVER: is the root')
		.option('--delete', 'delete files there that are not here, after a question')
		.option('--dry-run', 'only show what would be done')
		.option('--watch', 'go on and send what changes here, until Ctrl-C')
		.option('--yes', 'delete without being asked; needed where there is no terminal')
		.action(runs(async () => (await import('./sync.ts')).syncFiles));
	add(files, 'mv SERVER OLD [OLD ...] NEW', 'rename a file or folder, or move several into a folder')
		.argument('<SERVER>')
		.argument('<PATH...>', 'what to move, then its new path; a folder there, or a trailing /, keeps the name')
		.action(runs(async () => (await import('./file-operations.ts')).moveFile));
	add(files, 'mkdir SERVER PATH', 'make a folder, with those above it')
		.argument('<SERVER>')
		.argument('<PATH>')
		.action(runs(async () => (await import('./file-operations.ts')).makeFolder));
	add(files, 'rm SERVER PATH [PATH ...] [-r]', 'delete files; that is final')
		.argument('<SERVER>')
		.argument('<PATH...>')
		.option('-r, --recursive', 'folders too, with all that is in them')
		.action(runs(async () => (await import('./file-operations.ts')).removeFile));
	add(
		root,
		'run SERVER [FILE|-] [-c CODE] [options] [-- ARGUMENT ...]',
		'run Python, or a notebook cell by cell, on a server',
	)
		.argument('<SERVER>')
		.argument('[FILE]', 'Python file or .ipynb here; - is standard input, which is read by default in a pipe')
		.argument('[ARGUMENT...]', 'after --: what the script finds in sys.argv')
		.option('-c, --code <CODE>', 'the code itself')
		.option('--env <NAME=VALUE>', 'set in os.environ for this run; may be given again', collected)
		.option('--kernel <K>', "kernel name (the notebook's own, else python3)")
		.option('-o, --output <FILE>', 'write the notebook with its outputs to a file; - is standard output')
		.option('-p, --parameter <NAME=VALUE>', 'set in the notebook; may be given again', collected)
		.option('-r, --raw-parameter <NAME=VALUE>', 'the same, always as a string', collected)
		.option('--timeout <S>', 'end the run when a cell of the notebook takes longer, with exit code 5')
		.option('--allow-errors', 'run the cells below one that raised too')
		.action(runs(async () => (await import('./run/run.ts')).runCode));
	addJobs(root, runs);
	add(root, 'shell SERVER', 'a shell on a server, in this terminal; Enter, then ~. leaves it')
		.argument('<SERVER>')
		.action(runs(async () => (await import('./shell.ts')).openShell));
	add(root, 'forward SERVER PORT[:LOCAL]', 'a port of a server as one of this machine, until Ctrl-C')
		.argument('<SERVER>')
		.argument('<PORT>', 'that a program on the server listens on; with :LOCAL the one here')
		.action(runs(async () => (await import('./forward.ts')).forward));
	add(root, 'chat SERVER [-m MODEL] [PROMPT|-]', 'ask the assistant of a server')
		.argument('<SERVER>')
		.argument(
			'[PROMPT]',
			'the question, in quotes; @PATH attaches a file of the server, and standard input goes along; - is standard input alone',
		)
		.option('-m, --model <MODEL>', 'model_1 to model_5 (model_2)')
		.action(runs(async () => (await import('./assistant.ts')).chat));
	add(
		root,
		'work SERVER [GOAL|-] [options]',
		'let the assistant of a server carry a task out there, step by step',
	)
		.argument('<SERVER>')
		.argument('[GOAL]', 'what to do, in quotes; standard input goes along; - is standard input alone')
		.option('--allow <KINDS>', 'run, write, shell, several with commas; without it the assistant only reads')
		.option('--max-steps <N>', 'give up after so many steps (40)')
		.option('--no-context', "leave the server's AGENTS.md out")
		.option('-m, --model <MODEL>', 'model_1 to model_5 (model_2)')
		.option('--diff', 'at the end, print what the task changed in each file')
		.option('--undo', 'alone: take back what the last task wrote there; what code did stays')
		.action(runs(async () => (await import('./work.ts')).workOn));
	add(root, 'api METHOD PATH [-d JSON]', "send a call of the service's interface, and print its answer")
		.addArgument(new Argument('<METHOD>', 'in capitals').choices(METHODS))
		.argument('<PATH>', 'below the base URL: /api/servers')
		.option('-d, --data <JSON>', 'what to send: JSON, @FILE, or - for standard input')
		.action(runs(async () => (await import('./api.ts')).callService));
	// The boot file hands `open` to the screens; this entry provides its help and its error for
	// --json.
	add(
		root,
		'open SERVER [files [PATH[:LINE]] | repl | chat]',
		'open the full-screen program at a server: its files, a line of one, its REPL or its assistant',
	)
		.argument('[WORDS...]')
		.action(
			runs(async () => {
				const {usageError} = await import('./command-error.ts');
				throw usageError(
					'open is the full-screen program: it takes neither --json nor --jsonl.',
					'svc-tui files, run and chat print what its panes show.',
				);
			}),
		);
};

const addMcp = (root: Command, runs: Runs): void => {
	add(root, 'mcp [options]', 'an MCP server for other agents, on standard input and output')
		.option('--allow <WHAT>', 'run, write, spend, several with commas; without it the agent only reads')
		.option('--max-price <P>', 'with spend: most that a server may cost per hour; you are asked each time')
		.action(runs(async () => (await import('./mcp/mcp.ts')).serveMcp));
};

const addServe = (root: Command): Command => {
	const serve = add(root, 'serve [options]', 'run the local service')
		.configureHelp({showGlobalOptions: false})
		.addHelpText(
			'after',
			'\nThe key is SVC_API_KEY, else one made at the first start; its file is printed, never the key.\nWithout --data the screens and commands find this service by themselves, unless SVC_API_KEY or --keys gives its keys.',
		);
	for (const [name, {value, what}] of Object.entries(SERVE_OPTIONS))
		serve.addOption(
			new Option(value === '' ? `--${name}` : `--${name} <${value}>`, what).hideHelp(name === 'leased'),
		);
	return serve;
};

/** Adds every command. The module of a command loads only when that command is chosen. */
export const addCommands = (root: Command, choose: (choice: Choice) => void): void => {
	const runs: Runs =
		load =>
		(...given) =>
			choose({name: 'command', run: async context => (await load())(context, ...(given as never[]))});
	addServers(root, runs);
	addCatalogue(root, runs);
	addWork(root, runs);
	add(
		root,
		'login [--base-url URL] [--profile NAME]',
		'sign in to a service: --base-url names it, --profile what to call it; the key is asked for, or piped in',
	).action(runs(async () => (await import('./sign-in.ts')).login));
	add(root, 'logout [--profile NAME]', 'remove the stored key of a profile').action(
		runs(async () => (await import('./sign-in.ts')).logout),
	);
	const local = add(
		root,
		'local stop',
		'the service on this machine that programs start by themselves',
	).helpCommand(false);
	add(local, 'stop', 'end the local service, with the kernels that it keeps; files stay').action(
		runs(async () => (await import('./local.ts')).stopLocal),
	);
	addMcp(root, runs);
	addServe(root).action(() => choose({name: 'serve'}));
	add(
		root,
		'completion bash|zsh|fish',
		"print a shell's completion script, which also knows your servers: source <(svc-tui completion bash)",
	)
		.addArgument(new Argument('<SHELL>').choices(SHELLS))
		.action(runs(async () => (await import('./completion.ts')).printCompletion));
	add(root, 'info', 'print versions, paths and what the terminal can do').action(() =>
		choose({name: 'info'}),
	);
};
