// LaTeX math commands that are drawn as one character, grouped by the space around them.

const table = (text: string): ReadonlyMap<string, string> =>
	new Map(
		text
			.trim()
			.split(/\s+/)
			.map(pair => {
				const at = pair.indexOf(':');
				return [pair.slice(0, at), pair.slice(at + 1)] as const;
			}),
	);

/** Letters, and other signs with the same spacing. */
export const LETTERS = table(`
	alpha:α beta:β gamma:γ delta:δ epsilon:ϵ varepsilon:ε zeta:ζ eta:η theta:θ vartheta:ϑ iota:ι kappa:κ
	lambda:λ mu:μ nu:ν xi:ξ omicron:ο pi:π varpi:ϖ rho:ρ varrho:ϱ sigma:σ varsigma:ς tau:τ upsilon:υ phi:ϕ
	varphi:φ chi:χ psi:ψ omega:ω Gamma:Γ Delta:Δ Theta:Θ Lambda:Λ Xi:Ξ Pi:Π Sigma:Σ Upsilon:Υ Phi:Φ Psi:Ψ
	Omega:Ω infty:∞ partial:∂ nabla:∇ hbar:ℏ ell:ℓ Re:ℜ Im:ℑ wp:℘ aleph:ℵ emptyset:∅ varnothing:∅ degree:°
	ldots:… dots:… cdots:⋯ vdots:⋮ ddots:⋱ prime:′ top:⊤ bot:⊥ angle:∠ forall:∀ exists:∃ nexists:∄ neg:¬
	lnot:¬ imath:ı jmath:ȷ dagger:† checkmark:✓ S:§ pounds:£ square:□ Box:□ triangle:△ hslash:ℏ
	lbrace:{ rbrace:} lbrack:[ rbrack:] langle:⟨ rangle:⟩ lfloor:⌊ rfloor:⌋ lceil:⌈ rceil:⌉ vert:| lvert:|
	rvert:| Vert:‖ lVert:‖ rVert:‖ backslash:\\ sharp:♯ flat:♭ star:⋆ bullet:• complement:∁`);

/** Large operators such as sums and integrals, which take limits. */
export const LARGE = table(`
	sum:∑ prod:∏ coprod:∐ int:∫ iint:∬ iiint:∭ oint:∮ bigcup:⋃ bigcap:⋂ bigvee:⋁ bigwedge:⋀ bigoplus:⨁
	bigotimes:⨂`);

/** Relations and binary operators. */
export const OPERATORS = table(`
	pm:± mp:∓ times:× div:÷ cdot:· ast:∗ circ:∘ oplus:⊕ ominus:⊖ otimes:⊗ odot:⊙ cup:∪ cap:∩ setminus:∖
	wedge:∧ land:∧ vee:∨ lor:∨ le:≤ leq:≤ leqslant:⩽ ge:≥ geq:≥ geqslant:⩾ ne:≠ neq:≠ equiv:≡ approx:≈
	sim:∼ simeq:≃ cong:≅ propto:∝ ll:≪ gg:≫ lt:< gt:> in:∈ notin:∉ ni:∋ subset:⊂ supset:⊃ subseteq:⊆
	supseteq:⊇ subsetneq:⊊ to:→ rightarrow:→ longrightarrow:⟶ leftarrow:← gets:← longleftarrow:⟵
	leftrightarrow:↔ Rightarrow:⇒ Longrightarrow:⟹ implies:⟹ Leftarrow:⇐ Leftrightarrow:⇔ iff:⟺ mapsto:↦
	longmapsto:⟼ uparrow:↑ downarrow:↓ hookrightarrow:↪ rightharpoonup:⇀ rightleftharpoons:⇌ mid:∣ parallel:∥
	perp:⊥ vdash:⊢ models:⊨ prec:≺ succ:≻ preceq:⪯ succeq:⪰ doteq:≐ triangleq:≜ coloneqq:≔ colon::
	therefore:∴ because:∵`);

/** Named functions, which LaTeX sets in upright letters. */
export const FUNCTIONS: ReadonlySet<string> = new Set(
	'sin cos tan cot sec csc arcsin arccos arctan sinh cosh tanh coth log ln lg exp lim limsup liminf max min sup inf arg argmax argmin det dim ker hom deg gcd Pr bmod'.split(
		' ',
	),
);

export const SPACES: ReadonlyMap<string, string> = new Map([
	[',', ' '],
	[';', ' '],
	[':', ' '],
	['>', ' '],
	[' ', ' '],
	['!', ''],
	['quad', '  '],
	['qquad', '    '],
	['enspace', ' '],
	['thinspace', ' '],
]);

/** Commands that do not change a formula's text. */
export const IGNORED: ReadonlySet<string> = new Set(
	'displaystyle textstyle scriptstyle scriptscriptstyle limits nolimits nonumber notag big Big bigg Bigg bigl bigr Bigl Bigr biggl biggr Biggl Biggr bigm middle mathstrut strut hline'.split(
		' ',
	),
);

/** Combining characters for accents. */
export const ACCENTS: ReadonlyMap<string, string> = new Map([
	['hat', '\u0302'],
	['widehat', '\u0302'],
	['bar', '\u0304'],
	['overline', '\u0304'],
	['tilde', '\u0303'],
	['widetilde', '\u0303'],
	['vec', '\u20D7'],
	['dot', '\u0307'],
	['ddot', '\u0308'],
	['acute', '\u0301'],
	['grave', '\u0300'],
	['breve', '\u0306'],
	['check', '\u030C'],
	['underline', '\u0332'],
]);

const pairs = (from: string, to: string): ReadonlyMap<string, string> => {
	const targets = [...to];
	return new Map([...from].map((character, index) => [character, targets[index] ?? '']));
};

export const RAISED = pairs(
	'0123456789+−-=()abcdefghijklmnoprstuvwxyzABDEGHIJKLMNOPRTUVWαβγδθφχ′∗',
	'⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻᴬᴮᴰᴱᴳᴴᴵᴶᴷᴸᴹᴺᴼᴾᴿᵀᵁⱽᵂᵅᵝᵞᵟᶿᵠᵡ′*',
);
export const LOWERED = pairs(
	'0123456789+−-=()aehijklmnoprstuvxβγρφχ',
	'₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓᵦᵧᵨᵩᵪ',
);

const DOUBLE = new Map([...'CHNPQRZ'].map((letter, index) => [letter, [...'ℂℍℕℙℚℝℤ'][index] ?? letter]));
const SCRIPT = new Map([...'BEFHILMR'].map((letter, index) => [letter, [...'ℬℰℱℋℐℒℳℛ'][index] ?? letter]));
const CAPITAL = /^[A-Z]$/;
const fromBlock =
	(known: ReadonlyMap<string, string>, start: number) =>
	(letter: string): string | null =>
		known.get(letter) ??
		(CAPITAL.test(letter) ? String.fromCodePoint(start + letter.charCodeAt(0) - 65) : null);

/**
 * Math alphabets that have their own Unicode characters. Null for a letter without such a
 * character.
 */
export const ALPHABETS: ReadonlyMap<string, (letter: string) => string | null> = new Map([
	['mathbb', letter => (letter === '1' ? '𝟙' : fromBlock(DOUBLE, 0x1_d538)(letter))],
	['mathcal', fromBlock(SCRIPT, 0x1_d49c)],
	['mathscr', fromBlock(SCRIPT, 0x1_d49c)],
]);

/** Commands that change the typeface of their argument, which a terminal does not show. */
export const UPRIGHT: ReadonlySet<string> = new Set(
	'mathrm mathit mathbf mathsf mathtt mathnormal boldsymbol bm pmb operatorname operatorname* mbox'.split(
		' ',
	),
);
export const TEXT: ReadonlySet<string> = new Set('text textrm textbf textit texttt textsf mbox'.split(' '));
