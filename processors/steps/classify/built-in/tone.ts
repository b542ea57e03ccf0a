import { CONTRAST } from './lexicon.ts'

/** Concepts of trouble, and concepts of wishes. */
export const TROUBLES: readonly string[] = ['fault', 'inability', 'wrong', 'loss', 'slow', 'money', 'alarm', 'repair']
export const WANTS: readonly string[] = ['wish', 'propose', 'add', 'lack', 'need', 'youcan']
const PRAISES = ['praise', 'thanks', 'reassure']
const DISPLEASED = 'displeasure'

interface Clause {
  isPraising: boolean
  isTroubled: boolean
  isWanting: boolean
  isDispleased: boolean
  /** True when the clause follows a "but". */
  isContrast: boolean
}

/** Tones of a text by its clauses: "great, but" praises and complains. */
export const TONES = [
  ...['only_praise', 'only_displeasure', 'praise_leads', 'mostly_praise', 'ends_in_praise'],
  ...['trouble_apart', 'want_apart', 'trouble_after_contrast', 'want_after_contrast'],
] as const
type Tone = (typeof TONES)[number]

/** Collects the concepts of a text in their order, then answers its tones. */
export const readTones = () => {
  const clauses: Clause[] = []
  /** Index of the last clause's sentence. */
  let lastSentence = -1
  const begin = (isContrast: boolean): Clause => {
    const clause = { isPraising: false, isTroubled: false, isWanting: false, isDispleased: false, isContrast }
    clauses.push(clause)
    return clause
  }
  return {
    /** `sentence` is the sentence's index. */
    add: (concept: string, sentence: number): void => {
      if (concept === CONTRAST) {
        begin(true)
        lastSentence = sentence
        return
      }
      const [isPraising, isTroubled] = [PRAISES.includes(concept), TROUBLES.includes(concept)]
      const [isWanting, isDispleased] = [WANTS.includes(concept), concept === DISPLEASED]
      if (!isPraising && !isTroubled && !isWanting && !isDispleased) return
      const last = clauses.at(-1)
      const clause = last === undefined || lastSentence !== sentence ? begin(false) : last
      lastSentence = sentence
      clause.isPraising ||= isPraising
      clause.isTroubled ||= isTroubled
      clause.isWanting ||= isWanting
      clause.isDispleased ||= isDispleased
    },
    tones: (): readonly Tone[] => tonesOf(clauses),
  }
}

const saysMore = ({ isTroubled, isWanting }: Clause): boolean => isTroubled || isWanting

const tonesOf = (all: readonly Clause[]): readonly Tone[] => {
  const clauses = all.filter(clause => clause.isPraising || clause.isDispleased || saysMore(clause))
  const praising = clauses.filter(clause => clause.isPraising && !saysMore(clause) && !clause.isDispleased)
  const has: Readonly<Record<Tone, boolean>> = {
    only_praise: praising.length > 0 && praising.length === clauses.length,
    only_displeasure: clauses.length > 0 && clauses.every(clause => clause.isDispleased && !saysMore(clause)),
    praise_leads: praising.length > 0 && praising[0] === clauses[0],
    mostly_praise: praising.length * 2 > clauses.length,
    ends_in_praise: praising.length > 0 && praising.at(-1) === clauses.at(-1),
    trouble_apart: clauses.some(clause => clause.isTroubled && !clause.isPraising),
    want_apart: clauses.some(clause => clause.isWanting && !clause.isPraising),
    trouble_after_contrast: clauses.some(clause => clause.isContrast && (clause.isTroubled || clause.isDispleased)),
    want_after_contrast: clauses.some(clause => clause.isContrast && clause.isWanting),
  }
  return TONES.filter(tone => has[tone])
}
