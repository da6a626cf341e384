import {fuzzyFilter} from '../../../text/editor/fuzzy.ts';
import type {FilePlace} from '../../../text/references.ts';
import type {Rect} from '../../core/frame/layout.ts';
import {useGetState} from '../../core/store-context.ts';
import {Chooser, type Choice} from '../../core/dialogs/chooser.tsx';

/** Places in files that a cell or answers name; Enter opens the file there, and the screen before is a key away. */
export const Places = ({
	server,
	places,
	body,
}: {
	readonly server: string;
	readonly places: readonly FilePlace[];
	readonly body: Rect;
}) => {
	const get = useGetState();
	const choices = places.map(({path, line}): Choice => ({
		text: line === null ? path : `${path}:${line}`,
		choose: () => void get().openPlace(server, {path, line}),
	}));
	return (
		<Chooser
			title="Open a file at"
			body={body}
			empty="No file matches."
			choicesFor={typed => fuzzyFilter(typed, choices, ({text}) => text)}
		/>
	);
};
