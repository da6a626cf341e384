import type {About} from './about.ts';
import {code, count, paragraphs} from './markdown.ts';
import {namesIn} from './question.ts';

const SHOWN = 60;
const ASKED_NAMES = 4;
// Words that occur in questions about packages but are not package names.
const WORDS =
	/^(packages?|librar(y|ies)|toolkits?|installed|install|pip|imports?|imported|environment|version|versions|modules|list|available|standard|all|any|there|numpy_)$/i;

const same = (name: string): string => name.toLowerCase().replaceAll(/[-_.]+/g, '-');

export const describePackages = async (
	prose: string,
	{lookup, environment, serverName}: About,
): Promise<string> => {
	const {python, installed} = await lookup.packages();
	const asked = namesIn(prose)
		.map(({name}) => name)
		.filter(name => !WORDS.test(name))
		.slice(0, ASKED_NAMES);
	const verdicts: string[] = [];
	for (const name of asked) {
		const found = installed.find(item => same(item.name) === same(name));
		if (found) verdicts.push(`${code(found.name)} ${found.version} is installed.`);
		else if (
			/^(is|are|can|could|do|does|have|has|import)\b|\b(import|install)\s+\S+\W*$/i.test(prose.trim())
		) {
			const doc = await lookup.pydoc(name);
			const [module = name] = name.split('.');
			verdicts.push(
				doc === null
					? `${code(name)} is not installed here, and it is not part of Python's standard library as it runs here.`
					: `${code(module)} comes with Python: no installation is needed.`,
			);
		}
	}
	const rows = installed.slice(0, SHOWN).map(({name, version}) => `- ${code(name)} ${version}`);
	const listed =
		installed.length === 0
			? "Besides Python's standard library nothing is installed."
			: `Besides the standard library ${count(installed.length, 'package')} can be imported${verdicts.length > 0 ? '.' : ':'}`;
	return paragraphs(
		verdicts.join(' '),
		`${code(serverName)} runs Python ${python} in the environment ${code(environment)}. ${listed}`,
		verdicts.length === 0 && rows.join('\n'),
		verdicts.length === 0 && installed.length > SHOWN && `… and ${installed.length - SHOWN} more.`,
		/\binstall\b/i.test(prose) && 'I only look things up: I install nothing.',
	);
};
