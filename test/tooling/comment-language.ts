// ESLint rule `files/comment-language`, which checks the wording of comments.
import type {Rule} from 'eslint';
import {commentHits} from './language-checks.ts';

export const commentLanguage: Rule.RuleModule = {
	meta: {type: 'suggestion', schema: []},
	create: context => ({
		Program: () => {
			const {sourceCode} = context;
			const hits = commentHits(
				sourceCode.text,
				sourceCode.getAllComments().map(({range}) => range!),
			);
			for (const {line, message} of hits) context.report({loc: {line, column: 0}, message});
		},
	}),
};
