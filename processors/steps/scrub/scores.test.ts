import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PERSONAL_DATA_KINDS, type PersonalDataKind, type Span } from './detectors/detector.ts'
import { type LabelledText, labelledTexts } from './labelled.testing.ts'
import { findPersonalData, redact } from './redact.ts'

interface Floor {
  readonly precision: number
  readonly recall: number
}

/** A little below what was measured: a change that falls under them made the rules worse. */
const FLOORS: Readonly<Record<'tuned' | 'unseen', Readonly<Record<PersonalDataKind, Floor>>>> = {
  tuned: {
    EMAIL: { precision: 0.98, recall: 0.98 },
    PHONE: { precision: 0.97, recall: 0.97 },
    NATIONAL_ID: { precision: 0.96, recall: 0.96 },
    CARD: { precision: 0.97, recall: 0.97 },
    IP_ADDRESS: { precision: 0.97, recall: 0.97 },
    IBAN: { precision: 1, recall: 1 },
    CRYPTO: { precision: 1, recall: 1 },
  },
  unseen: {
    EMAIL: { precision: 0.97, recall: 0.97 },
    PHONE: { precision: 0.97, recall: 0.96 },
    NATIONAL_ID: { precision: 0.96, recall: 0.96 },
    CARD: { precision: 0.95, recall: 0.95 },
    IP_ADDRESS: { precision: 0.96, recall: 0.96 },
    IBAN: { precision: 1, recall: 1 },
    CRYPTO: { precision: 1, recall: 1 },
  },
}
/** Of the look-alikes that must stay, at most this share may be touched. */
const MAX_LOOK_ALIKES_TAKEN = 0.01

interface Score extends Floor {
  readonly kind: PersonalDataKind
  readonly labelled: number
  readonly f1: number
}

const isSame = (one: Span & { readonly kind: string }, other: Span & { readonly kind: string }): boolean =>
  one.start === other.start && one.end === other.end && one.kind === other.kind

/** A finding counts when its kind and both of its ends are as labelled. */
const score = (texts: readonly LabelledText[], kind: PersonalDataKind): Score => {
  let right = 0
  let found = 0
  let labelled = 0
  for (const { text, personal } of texts) {
    const findings = findPersonalData(text).filter(finding => finding.kind === kind)
    found += findings.length
    labelled += personal.filter(label => label.kind === kind).length
    right += findings.filter(finding => personal.some(label => isSame(label, finding))).length
  }
  const precision = right / found
  const recall = right / labelled
  return { kind, labelled, precision, recall, f1: (2 * precision * recall) / (precision + recall) }
}

for (const part of ['tuned', 'unseen'] as const) {
  const texts = labelledTexts(part)

  for (const kind of PERSONAL_DATA_KINDS) {
    test(`${kind} in the ${part} texts is found and nothing else is`, context => {
      const { labelled, precision, recall, f1 } = score(texts, kind)
      const [p, r, f] = [precision, recall, f1].map(share => share.toFixed(3))
      context.diagnostic(`${part} ${kind}: ${labelled} labelled, precision ${p}, recall ${r}, F1 ${f}`)
      assert.ok(precision >= FLOORS[part][kind].precision, `precision ${p}`)
      assert.ok(recall >= FLOORS[part][kind].recall, `recall ${r}`)
    })
  }

  test(`look-alikes in the ${part} texts stay`, context => {
    const lookAlikes = texts.flatMap(({ text, kept }) => {
      const findings = findPersonalData(text)
      return kept.map(({ start, end }) => findings.some(found => found.start < end && start < found.end))
    })
    const taken = lookAlikes.filter(isTaken => isTaken).length
    context.diagnostic(`${part}: ${taken} of ${lookAlikes.length} look-alikes taken`)
    assert.ok(taken / lookAlikes.length <= MAX_LOOK_ALIKES_TAKEN, `${taken} taken`)
  })

  test(`scrubbing the ${part} texts again changes nothing`, () => {
    for (const { name, text } of texts) {
      const once = redact(text, new Map())
      assert.equal(redact(once, new Map()), once, name)
    }
  })
}

test('the labelled texts are as many as they claim: 600 spans, 300 look-alikes, eight languages', () => {
  const all = [...labelledTexts('tuned'), ...labelledTexts('unseen')]
  assert.ok(all.flatMap(({ personal }) => personal).length >= 600)
  assert.ok(all.flatMap(({ kept }) => kept).length >= 300)
  const files = new Set(all.map(({ name }) => name.replace(/\.txt:.*/, '')))
  for (const language of ['english', 'german', 'french', 'spanish', 'italian', 'dutch', 'polish', 'portuguese']) {
    assert.ok(files.has(language), language)
  }
})
