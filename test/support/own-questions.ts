/** What the program asks its terminal at its start, and what the emulator answers: each once. */
const OWN_COMMANDS = ['11;?'];
const OWN_REPLIES = ['\u001B[1;2R', '\u001B[?1;2c'];

const without = (found: readonly string[], own: readonly string[]): readonly string[] => {
	const left = [...found];
	for (const each of own) if (left.includes(each)) left.splice(left.indexOf(each), 1);
	return left;
};

type Found = {
	readonly titles: readonly string[];
	readonly commands: readonly string[];
	readonly replies: readonly string[];
};

/** What a terminal was made to do by others than the program itself, which names its window and asks for colours and widths. */
export const ofOthers = ({titles, commands, replies}: Found): Found => ({
	titles: titles.filter(title => !title.endsWith(' · svc-tui')),
	commands: without(commands, OWN_COMMANDS),
	replies: without(replies, OWN_REPLIES),
});
