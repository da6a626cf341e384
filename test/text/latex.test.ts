import {expect, test} from 'vitest';
import {latexText} from '../../src/text/latex/latex.ts';
import {markdownWithFormulas} from '../../src/text/markdown/formulas.ts';

const FORMULAS = String.raw`
$\displaystyle \frac{a}{b}$ => a/b
$\alpha + \varepsilon$ => α + ε
$\displaystyle x^{2} + 2 x + 1$ => x² + 2x + 1
$$\int_0^1 x^2\,dx = \frac{1}{3}$$ => ∫₀¹ x² dx = 1/3
$\sum_{i=1}^{n} i = \frac{n(n+1)}{2}$ => ∑ᵢ₌₁ⁿ i = (n(n + 1))/2
$\displaystyle \left[\begin{matrix}1 & 2\\3 & -4\end{matrix}\right]$ => [1  2; 3  −4]
\begin{pmatrix} a & b \end{pmatrix} => (a  b)
$\frac{-b \pm \sqrt{b^2-4ac}}{2a}$ => (−b ± √(b² − 4ac))/(2a)
$\frac{1}{2}x$ => (1/2)x
$e^{i\pi}+1=0$ => e^(iπ) + 1 = 0
$\log{\left(x \right)} e^{- x}$ => log(x)e⁻ˣ
$\hat{\beta} = (X^T X)^{-1}X^T y$ => β̂ = (XᵀX)⁻¹Xᵀy
$\mathbb{E}[X] \in \mathbb{R}^3$ => 𝔼[X] ∈ ℝ³
$\lim_{x\to\infty} f(x)$ => lim_(x → ∞) f(x)
$\begin{cases} x & \text{for}\: x > 0 \\ -x & \text{otherwise} \end{cases}$ => { x for x > 0; −x otherwise }
$\sqrt[3]{x+1} \ne \sqrt[n]{y}$ => ∛(x + 1) ≠ ⁿ√y
$x'' + x' = 0$ => x′′ + x′ = 0
$\{1, 2\} \cup \emptyset$ => {1, 2} ∪ ∅
\(a\) and \[b\] => a and b
The value $x_1$ and $y_{max}$. => The value x₁ and yₘₐₓ.
`;
test.each(
	FORMULAS.trim()
		.split('\n')
		.map(line => line.split(' => ')),
)('%s', (source = '', text = '') => expect(latexText(source)).toBe(text));

test('lines of an alignment are lines', () => {
	expect(latexText(String.raw`\begin{align*} a &= b + c \\ d &= -e \label{x} \end{align*}`)).toBe(
		'a = b + c\nd = −e',
	);
});

test.each([
	String.raw`$\xyz{1}$`,
	String.raw`$\overline{AB}$`,
	String.raw`$\frac{1}$`,
	String.raw`$\begin{tikzcd} a \end{tikzcd}$`,
	String.raw`$\begin{matrix} a \end{pmatrix}$`,
	'$a}$',
	'${a$',
	`$${'{'.repeat(100)}a${'}'.repeat(100)}$`,
	'It costs $5 and $6.',
	'$ a $ b',
	String.raw`a \$5 b \$6`,
	'plain words, 100 % of them',
])('%s stays as it is', source => expect(latexText(source)).toBe(source));

test('any row of tokens gives a text', () => {
	const tokens =
		String.raw`\frac { } ^ _ & \\ \left ( \right ) [ ] \sqrt x 1 ' \begin{matrix} \end{matrix} $ \text - , \hat`.split(
			' ',
		);
	let seed = 1;
	const next = (): number => (seed = (seed * 48_271) % 0x7f_ff_ff_ff);
	for (let round = 0; round < 3000; round++) {
		const source = `$${Array.from({length: next() % 12}, () => tokens[next() % tokens.length]).join(' ')}$`;
		expect(typeof latexText(source)).toBe('string');
	}
});

test('formulas of Markdown are replaced outside code, and bring no marks of their own', () => {
	expect(markdownWithFormulas('Let $x^2 * y_b$ and `$x^2$`.\n\n```\n$x^2$\n```\n\n$$\n\\alpha\n$$\n')).toBe(
		'Let x² ∗ y\\_b and `$x^2$`.\n\n```\n$x^2$\n```\n\nα\n',
	);
	expect(markdownWithFormulas('a\r\nb costs $5')).toBe('a\nb costs $5');
	expect(markdownWithFormulas('no formula\r\n')).toBe('no formula\r\n');
});
