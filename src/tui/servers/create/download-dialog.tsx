import type {DialogProps} from '../../core/program.ts';
import {joinNames} from '../../../text/join-names.ts';
import {label} from '../../../text/safe.ts';
import {megabytes} from '../../../text/size.ts';
import {wrap} from '../../../text/width/wrap.ts';
import {question, QuestionBox} from '../../core/dialogs/question.tsx';
import {renting} from './submit.ts';

/** Largest number of packages that the question names. */
const NAMED = 12;

const DownloadDialog = ({contents, body}: DialogProps<'download'>) => {
	const {environment_id: id, packages, download} = contents;
	const names = packages.map(({name, version}) => label(`${name} ${version ?? ''}`.trim(), 40));
	const more = names.length - NAMED;
	const size = download?.bytes == null ? 'of unknown size' : `${megabytes(download.bytes)} in all`;
	return (
		<QuestionBox
			title={`Download the packages of the environment ${label(id, 40)}?`}
			body={body}
			text={width => [
				...wrap(
					`${download?.files ?? 0} files, ${size}, from ${label(download?.from ?? '', 100)} to this machine:`,
					width,
				),
				...wrap(joinNames(more > 0 ? [...names.slice(0, NAMED), `${more} more`] : names), width),
				'',
				...wrap(
					'Each file is checked against the hash that Pyodide publishes. All servers share the files, and later starts need no network.',
					width,
				),
			]}
			yes="download and start"
			no="not now"
		/>
	);
};

/** Asks before a start downloads the packages of its environment. */
export const download = question({
	kind: 'download',
	onYes: (get, {contents, again}) => void renting(get).allowDownload(contents.environment_id, again),
	Dialog: DownloadDialog,
});
