import type {Terminal as Emulator} from '@xterm/headless';

/** Window titles that the program itself sets: a server with its state, or the service. */
const OWN_TITLE = /^[^\u0000-\u001F\u007F-\u009F]{1,100} [·.] svc-tui$/;

/** Effects on a terminal other than shown text, in order. */
export type TerminalEvents = {
	/** Data of OSC 52: `<selection>;<base64>` or `<selection>;?`. */
	readonly clipboard: string[];
	/** Window and icon titles (OSC 0, 1, 2). */
	readonly titles: string[];
	/** URIs of OSC 8 links that were opened. */
	readonly links: string[];
	/** Every other operating system command, as `<number>;<data>`. */
	readonly commands: string[];
	/** Modes set and reset, in their written form: `?1049h`, `?25l`, `4h`. */
	readonly modes: string[];
	/** Automatic replies of the terminal: device attributes, cursor reports. */
	readonly replies: string[];
	/** Soft and full resets. */
	readonly resets: string[];
	/** Device control strings, and the first bytes of application program commands. */
	readonly controls: string[];
	bells: number;
	/** Number of completed blocks of synchronized output. */
	frames: number;
};

const titleCommands = [0, 1, 2];
const otherCommands = [
	4, 5, 6, 7, 9, 10, 11, 12, 13, 14, 17, 19, 21, 22, 50, 99, 104, 105, 110, 111, 112, 117, 119, 133, 176, 555,
	633, 777, 1337, 5522,
];

/** Adds a recorder to the emulator's parser. The emulator's behaviour is unchanged. */
export const recordEvents = (emulator: Emulator): TerminalEvents => {
	const events: TerminalEvents = {
		clipboard: [],
		titles: [],
		links: [],
		commands: [],
		modes: [],
		replies: [],
		resets: [],
		controls: [],
		bells: 0,
		frames: 0,
	};
	const {parser} = emulator;
	let isGroundAsked = false;
	for (const id of titleCommands)
		parser.registerOscHandler(id, data => (OWN_TITLE.test(data) || events.titles.push(data), false));
	for (const id of otherCommands)
		parser.registerOscHandler(id, data => {
			// The program queries the background once, before any outside text arrives.
			const isOwn = id === 11 && data === '?' && !isGroundAsked;
			if (isOwn) isGroundAsked = true;
			else events.commands.push(`${id};${data}`);
			return false;
		});
	parser.registerOscHandler(52, data => (events.clipboard.push(data), false));
	parser.registerOscHandler(8, data => {
		const uri = data.slice(data.indexOf(';') + 1);
		if (uri !== '') events.links.push(uri);
		return false;
	});
	for (const final of ['h', 'l']) {
		for (const prefix of ['?', '']) {
			parser.registerCsiHandler({...(prefix && {prefix}), final}, params => {
				for (const mode of params.flat()) {
					events.modes.push(`${prefix}${mode}${final}`);
					if (mode === 2026 && final === 'l') events.frames++;
				}
				return false;
			});
		}
	}
	for (const prefix of ['>', '<', '=']) {
		// The kitty keyboard protocol: push, pop, set.
		parser.registerCsiHandler(
			{prefix, final: 'u'},
			params => (events.modes.push(`${prefix}${params.join(';')}u`), false),
		);
	}
	parser.registerCsiHandler({intermediates: '!', final: 'p'}, () => (events.resets.push('soft'), false));
	parser.registerEscHandler({final: 'c'}, () => (events.resets.push('full'), false));
	for (const intermediates of ['$', '+']) {
		parser.registerDcsHandler(
			{intermediates, final: 'q'},
			data => (events.controls.push(`${intermediates}q${data}`), false),
		);
	}
	parser.registerDcsHandler({final: 'q'}, () => (events.controls.push('sixel'), false));
	emulator.onBell(() => {
		events.bells++;
	});
	emulator.onData(reply => {
		events.replies.push(reply);
	});
	return events;
};
