import {keyFor} from '../../core/keys/live-keys.ts';
import {useGetState} from '../../core/store-context.ts';
import type {Rect} from '../../core/frame/layout.ts';
import {Chooser} from '../../core/dialogs/chooser.tsx';

/** Asks for the path of a new file; the editor opens on it. */
export const AddFile = ({
	server,
	folder,
	body,
}: {
	readonly server: string;
	readonly folder: string;
	readonly body: Rect;
}) => {
	const get = useGetState();
	return (
		<Chooser
			title="New file"
			body={body}
			initial={folder}
			choicesFor={() => []}
			empty={`Type its path from the server's root; folders that are not there are made. ${keyFor('chooser.accept')} opens your editor.`}
			onEnter={typed => {
				const path = typed.trim().replace(/^\/+/, '');
				if (path === '' || path.endsWith('/')) return 'A file needs a name';
				get().closeDialog();
				void get().editFile(server, path);
				return true;
			}}
		/>
	);
};
