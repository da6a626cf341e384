import type {Screen, State} from '../program.ts';
import type {ScreenSpec} from '../feature.ts';
import {allScreens, isPane, workspaceInfo} from '../features.ts';
import {unseenResult} from '../store/unseen-results.ts';
import {isKeyRefused} from '../store/session.ts';
import {label} from '../../../text/safe.ts';
import {cellWidth, cut, fit, withoutColours} from '../../../text/width/width.ts';
import {clamp} from '../components/scroll.ts';
import {glyph} from '../theme/glyphs.ts';
import {paint} from '../theme/theme.ts';

/** Badge beside a tab: running work in its pane, or the outcome of work that ended off screen. */
export const badgeOf = (state: State, {id, isBusy, waits}: ScreenSpec): string => {
	if (waits?.(state, state.current ?? '')) return paint('busy', glyph.waits);
	if (isBusy?.(state, state.current ?? '')) return paint('busy', glyph.starting);
	const unseen = state.current !== null && isPane(id) ? unseenResult(state, state.current, id) : null;
	return unseen === null ? ' ' : paint(unseen, unseen === 'good' ? glyph.yes : glyph.no);
};

type Titled = (facts: ScreenSpec) => string;
const long: Titled = ({title}) => title;
const short: Titled = ({title, short}) => short ?? title;

const tabsOf = (state: State): ((titleOf: Titled, isTight?: boolean) => string) => {
	const tabs = allScreens().map(facts => ({facts, badge: badgeOf(state, facts)}));
	const roleAt = (at: number): 'selected' | 'dim' =>
		tabs[at]?.facts.id === state.screen ? 'selected' : 'dim';
	return (titleOf, isTight = false) => {
		const names = tabs.map(({facts}) => `${facts.jump} ${titleOf(facts)}`.trim());
		const tab = (at: number, text: string): string =>
			roleAt(at) === 'selected' ? paint('selected', paint('heading', text)) : paint('dim', text);
		if (!isTight) return tabs.map(({badge}, at) => tab(at, ` ${names[at]} `) + badge).join('');
		// Two tabs share the blank between them.
		const gap = (at: number): string => paint(roleAt(at) === 'selected' ? 'selected' : roleAt(at + 1), ' ');
		return (
			gap(-1) +
			tabs.map(({badge}, at) => tab(at, names[at]!) + (badge === ' ' ? '' : ` ${badge}`) + gap(at)).join('')
		);
	};
};

/** Widest profile name in cells. */
const LONG_NAME = 24;
const BRIEF_NAME = 12;
/** Widths of the profile's name with which short tabs fit 80 cells, without and with a badge. */
const TIGHT_NAMES = [10, 8];
const TINY_NAME = 6;

/** The profile with a mark for the state of its service, and with text if a mark is not enough. */
const profileMark = (state: State, most = LONG_NAME): string => {
	const isShort = most < LONG_NAME;
	const {
		connection: {status},
		colour,
		readOnly,
	} = state;
	const name = cut(label(state.serviceName, LONG_NAME), most);
	const shown = colour === null ? name : paint(colour, name);
	const rule = readOnly ? ` ${paint('own', isShort ? 'r/o' : 'read-only')}` : '';
	if (isKeyRefused(state))
		return `${shown} ${paint('bad', isShort ? `${glyph.no} key` : `${glyph.no} key rejected`)}${rule}`;
	// Only a response proves that the service is connected.
	const {failure, value} = workspaceInfo()?.list(state) ?? {};
	const isAnswering = status === 'ready' && failure === undefined;
	if (isAnswering && value !== undefined) return `${shown} ${paint('good', glyph.ready)}${rule}`;
	return `${shown} ${status === 'connecting' || isAnswering ? paint('busy', glyph.starting) : paint('bad', glyph.no)}${rule}`;
};

/** Least and greatest width of the current server's mark, in cells. */
const MARK = {least: 18, most: 32} as const;

const markRoom = (state: State): number =>
	clamp(workspaceInfo()?.mark.width(state) ?? 0, MARK.least, MARK.most);

const firstThat = (
	fits: (head: string) => boolean,
	...makers: readonly (() => string)[]
): string | undefined => {
	for (const make of makers) {
		const head = make();
		if (fits(head)) return head;
	}
	return undefined;
};

/**
 * The header line, exactly `width` cells. It shortens, in order: the product's name, long tab
 * names, the text about the profile, the current server's name, the profile's name. Tab names are
 * dropped only if the server's name would otherwise be unreadable.
 */
export const headerLine = (state: State, width: number): string => {
	const tabs = tabsOf(state);
	const product = ` ${paint('dim', 'svc-tui')} `;
	const service = ` ${profileMark(state)}  `;
	const brief = (most: number): string => ` ${profileMark(state, most)} `;
	const tight = (most: number): string => ` ${profileMark(state, most)}${tabs(short, true)}`;
	const numbers = (): string => tabs(facts => (facts.id === state.screen ? short(facts) : ''));
	const room = markRoom(state);
	const rightOf = (head: string): string =>
		workspaceInfo()?.mark.text(state, width - cellWidth(head) - 1) ?? '';
	// Shortens the server's name first, then the profile's. Drops the names of the tabs last.
	const head =
		firstThat(
			each => cellWidth(each) + room <= width,
			() => product + service + tabs(long),
			() => service.slice(0, -1) + tabs(long),
			() => product + service + tabs(short),
			() => service + tabs(short),
			() => brief(BRIEF_NAME) + tabs(short),
			() => tight(BRIEF_NAME),
		) ??
		firstThat(
			each => cellWidth(each) + Math.max(MARK.least, cellWidth(rightOf(each))) <= width,
			...[...TIGHT_NAMES, TINY_NAME].map(most => () => tight(most)),
			() => brief(BRIEF_NAME) + numbers(),
		) ??
		brief(TINY_NAME) + numbers();
	const right = rightOf(head);
	const space = width - cellWidth(head) - cellWidth(right);
	// If both sides do not fit, the right side is cut, because navigation needs every tab.
	return space >= 0 ? head + ' '.repeat(space) + right : fit(head + right, width);
};

/** Screen of the tab at a column of the header line. */
export const tabAt = (state: State, width: number, x: number): Screen | undefined => {
	const line = withoutColours(headerLine(state, width));
	let from = 0;
	for (const facts of allScreens()) {
		const titles = [long(facts), short(facts), ''].flatMap(title => [`${facts.jump} ${title}`.trim(), title]);
		// A badge replaces the blank after a name in tight headers.
		const placeOf = (title: string): number => {
			const at = line.indexOf(` ${title}`, from);
			return /^[\p{L}\d]/u.test(line.slice(at + title.length + 1)) ? -1 : at;
		};
		const title = titles.find(each => each !== '' && placeOf(each) >= 0);
		if (title === undefined) continue;
		const at = placeOf(title);
		from = at + title.length + 1;
		const begin = cellWidth(line.slice(0, at));
		if (x >= begin && x < begin + cellWidth(title) + 2) return facts.id;
	}
	return undefined;
};
