// Pictures of the screens: the terminal's picture mode, queried when the first picture is opened, a
// picture over the whole screen, and pictures within text.
import type {Deps, Overlay} from '../tui/core/store/deps.ts';
import type {PictureSupport, PictureMode} from '../text/pixels/choose.ts';
import type {ScreenOverlay} from './overlay.ts';
import type {PlacedPictures} from './placed-pictures.ts';
import type {ScreenTerminal} from './terminal.ts';

export type ScreenPictures = {
	/** Functions for the store. */
	readonly deps: Pick<Deps, 'askPictures' | 'showOverlay' | 'placePicture' | 'dropPicture'>;
	/** Handles a sequence from the terminal. */
	told(report: string): void;
	/** Handles text written to the terminal, which may have erased pictures. */
	wrote(text: string): void;
	/** Deletes the pictures within text from the terminal. */
	clear(): void;
};

type Start = {
	readonly terminal: ScreenTerminal;
	readonly env: NodeJS.ProcessEnv;
	readonly setting: PictureSupport['setting'];
	/**
	 * Sends a query. `question` must end with a query of device attributes, to which every terminal
	 * replies.
	 */
	readonly ask: (question: string) => void;
	readonly tell: (look: PictureMode) => void;
};

const write = (bytes: string): void => void process.stdout.write(bytes);

export const createScreenPictures = ({terminal, env, setting, ask, tell}: Start): ScreenPictures => {
	let look: PictureMode | undefined;
	let heard: ((report: string) => void) | undefined;
	let isAsked = false;
	let overlay: ScreenOverlay | undefined;
	let placed: PlacedPictures | undefined;
	const isLent = (): boolean => terminal.lent;
	return {
		deps: {
			askPictures(tellNow) {
				// Pictures are not shown to a screen reader.
				if (terminal.isReadOut) return;
				if (look) tellNow(look);
				// If another program has the terminal, the next picture starts the query.
				if (isAsked || terminal.lent) return;
				isAsked = true;
				const here = {setting, depth: process.stdout.getColorDepth(), env, write, ask};
				void import('./probe-pictures.ts').then(async asking => {
					heard = await asking.probePictures(here, next => {
						look = next;
						tell(next);
					});
				});
			},
			showOverlay(next: Overlay | null) {
				if (terminal.isReadOut) return;
				if (overlay) return overlay.show(next);
				if (next === null) return;
				void import('./overlay.ts').then(({createOverlay}) => {
					overlay ??= createOverlay(write, isLent);
					overlay.show(next);
				});
			},
			async placePicture(base64, cells, gone) {
				const {createPlacedPictures} = await import('./placed-pictures.ts');
				placed ??= createPlacedPictures(write, isLent, {
					isInTmux: Boolean(env['TMUX']),
					pane: Number(env['TMUX_PANE']?.slice(1) ?? 0),
				});
				return placed.place(base64, cells, gone);
			},
			dropPicture: id => placed?.drop(id),
		},
		told: report => heard?.(report),
		wrote(text) {
			overlay?.wrote(text);
			placed?.wrote(text);
		},
		clear: () => placed?.clear(),
	};
};
