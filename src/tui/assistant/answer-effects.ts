import {replOf} from '../repl/transcript.ts';
import {filesNamedIn, type FilePlace} from '../../text/references.ts';
import {otherLanguage} from '../../text/python/run-language.ts';
import {label} from '../../text/safe.ts';
import type {KeyContext} from '../core/feature.ts';
import {keyFor} from '../core/keys/live-keys.ts';
import {startOf} from '../core/components/transcript.ts';
import {nextFound} from '../core/components/transcript-find.ts';
import {layoutNow} from './layout.ts';
import {findRows, type PlacedCode} from './transcript-blocks.ts';
import {conversationOf} from './conversation.ts';
import {toggleRaw, toggleThinking, copyAnswer} from './commands.ts';
import {chat} from './conversations.ts';
import {attaching} from './attached.ts';
import {clipboard} from '../core/store/clipboard.ts';
import {codeBlocks} from './blocks.ts';
import {route} from '../core/store/route.ts';

const MOST_PLACES = 200;
const NO_CODE = 'There is no code in the answers here';

/** Effects of keys on answers and the code in them. */
export const answerEffects = ({get, rect}: KeyContext) => {
	const server = get().current ?? '';
	const current = () => conversationOf(get(), server);
	const now = () => layoutNow(get(), server, rect);
	const onBlock = (act: (placed: PlacedCode) => string | void) => (): string | void => {
		const {chosen} = now().transcript;
		return chosen === undefined ? NO_CODE : act(chosen);
	};
	const step = (by: number) => (): string | void => {
		const {
			transcript: {codes, chosen},
			room,
			last,
		} = now();
		if (chosen === undefined) return NO_CODE;
		const next = codes[codes.indexOf(chosen) + by];
		if (next === undefined)
			return by < 0 ? 'There is no code block before this one' : 'There is no code block after this one';
		// Scrolls the code block into view if it is not fully visible, with two rows above it.
		const top = current().top ?? last;
		const isInView = next.row >= top && next.row + next.code.rows <= top + room;
		const to = Math.max(0, next.row - 2);
		chat(get).changeConversation(server, {
			chosenBlock: {turn: next.turn, block: next.block},
			...(!isInView && {top: to >= last ? null : to}),
		});
	};
	const find = (by: 1 | -1) => (): string | void => {
		const words = current().goTo?.text ?? '';
		if (words === '') return `Nothing to search for yet: ${keyFor('turns.find')} starts a search`;
		const {transcript, room, last} = now();
		const found = findRows(transcript, words, rect.width);
		const {at, isAround} = nextFound(found, current().found ?? {block: 0, row: -1}, by);
		const next = found[at];
		if (next === undefined) return `${JSON.stringify(words.slice(0, 60))} is not in this conversation`;
		const row = startOf(transcript.blocks, next.block) + next.row;
		const top = current().top ?? last;
		const to = Math.max(0, row - Math.floor(room / 2));
		chat(get).changeConversation(server, {
			found: {...next, number: at + 1, count: found.length},
			...((row < top || row >= top + room) && {top: to >= last ? null : to}),
		});
		return isAround ? 'The search wrapped around' : undefined;
	};
	return {
		previousBlock: step(-1),
		nextBlock: step(1),
		copyBlock: onBlock(({code}) => clipboard(get).copy(code.code, 'The code')),
		runBlock: onBlock(({turn, block, code}) => {
			const other = otherLanguage(code.language, replOf(get(), server).kernel);
			if (other === undefined) return codeBlocks(get).runBlock(server, {turn, block}, code.code);
			const shell = other.endsWith(' bash')
				? 'for a shell; on Jupyter, !COMMAND in the REPL runs one'
				: `and ${keyFor('turns.putBlock')} puts it into the REPL to edit`;
			return `This is ${label(other, 60)}: ${keyFor('turns.copyBlock')} copies it ${shell}`;
		}),
		writeBlock: onBlock(({code}) => route(get).openDialog({kind: 'write-path', server, code: code.code})),
		putBlock: onBlock(({code}) => {
			codeBlocks(get).putIntoRepl(server, code.code);
			route(get).focus('repl');
			route(get).focusPart('repl', 'repl');
		}),
		addCell: onBlock(({code}) => codeBlocks(get).putIntoNotebook(server, code.code)),
		changeCell: onBlock(({code}) => codeBlocks(get).showCellChange(server, code.code)),
		copyAnswer: () => copyAnswer(get, server),
		place() {
			// Locations in the newest answer come first.
			const named = current()
				.turns.toReversed()
				.flatMap(turn => filesNamedIn(turn.answer));
			const places = [
				...new Map(
					named
						.toReversed()
						.map((place): [string, FilePlace] => [`${place.path}:${place.line ?? ''}`, place]),
				).values(),
			].reverse();
			return places.length === 0
				? 'The answers name no file'
				: route(get).openDialog({kind: 'places', server, places: places.slice(0, MOST_PLACES)});
		},
		raw: () => toggleRaw(get, server),
		thinking: () => toggleThinking(get, server),
		retry: () => attaching(get).retry(server),
		retryWith: () =>
			current().turns.length === 0
				? 'Nothing has been asked yet'
				: route(get).openDialog({kind: 'model', server, again: true}),
		editQuestion() {
			const reason = chat(get).editQuestion(server);
			if (reason !== undefined) return reason;
			route(get).focusPart('assistant', 'assistant');
		},
		edit: () => route(get).focusPart('assistant', 'assistant'),
		compare: () =>
			current().draft.text.trim() === '' && current().turns.length === 0
				? 'Type a question first: it is sent to all the models'
				: route(get).openDialog({kind: 'compare-models', server}),
		model: () => route(get).openDialog({kind: 'model', server, again: false}),
		conversations: () => route(get).openDialog({kind: 'conversations', server}),
		find: () =>
			current().turns.length === 0
				? 'Nothing has been asked yet'
				: route(get).openDialog({kind: 'find-turn', server, text: current().goTo?.text ?? ''}),
		findNext: find(1),
		findPrevious: find(-1),
		tray: () => route(get).openDialog({kind: 'tray', server}),
	};
};
