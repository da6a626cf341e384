// ESLint rule `files/comment-language`: reports wording of comments beyond the baseline.
import {relative} from 'node:path';
import type {Rule} from 'eslint';
import {readBaseline} from './language-baseline.ts';
import {commentHits} from './language-checks.ts';

const baseline = readBaseline();

export const commentLanguage: Rule.RuleModule = {
	meta: {type: 'suggestion', schema: []},
	create: context => ({
		Program: () => {
			const {sourceCode} = context;
			const allowed = baseline[relative(context.cwd, context.filename)] ?? {};
			const hits = commentHits(
				sourceCode.text,
				sourceCode.getAllComments().map(({range}) => range!),
			);
			for (const {check, line, message} of hits) {
				const count = hits.filter(hit => hit.check === check).length;
				const most = allowed[check] ?? 0;
				if (count > most)
					context.report({
						loc: {line, column: 0},
						message:
							most === 0 ? message : `${message} (${count} of "${check}" in this file, ${most} allowed)`,
					});
			}
		},
	}),
};
