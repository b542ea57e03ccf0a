import { Button, Kbd, Menu } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconChevronDown } from '@tabler/icons-react'
import { useMemo } from 'react'
import { CLAIM_KINDS, CLASSIFICATIONS } from '../../../../schemas/domain/vocabulary.ts'
import { toPeople } from '../../api/http.ts'
import { callOnce, type Input, type Output } from '../../api/operations.ts'
import { t, word } from '../../language/messages.ts'
import { SearchPicker } from '../../parts/evidence/search-picker.tsx'
import { mergeAgain, triage, undoChange, undoDecision, useUndoableAction } from '../../parts/evidence/undo.ts'
import { begin, solutionOf, useSubject } from '../../shell/begun.ts'
import { undoKeys, useKeys } from '../../shell/keys.ts'
import type { Signal } from './signal-facts.tsx'

interface Props {
  readonly signal: Signal
}

/** What a person can decide about a signal. Each is one Decision, and can be undone. */
export const SignalActions = ({ signal }: Props) => {
  const [choosing, { open, close }] = useDisclosure()
  const [isPlacing, placing] = useDisclosure()
  const { act, busy, undoLast } = useUndoableAction()
  const { reference, version, state, claims } = signal
  const decide = (input: Omit<Input<'triage'>, 'signal_id' | 'version'>, doneMessage: string) =>
    act({
      change: JSON.stringify(input),
      run: () => triage({ ...input, signal_id: reference, version }),
      doneMessage: ({ unchanged, claim }) =>
        unchanged === null ? withStarted(doneMessage, input.action, claim) : toPeople(unchanged),
      undo: ({ decision }) => undoDecision(decision),
    })
  const accept = () => decide({ action: 'accept' }, t('{reference} is accepted.', { reference }))
  const dismiss = () => decide({ action: 'dismiss' }, t('{reference} is dismissed.', { reference }))
  const pullOut = (claim: string) =>
    act({
      change: `pull out of ${claim}`,
      run: () => triage({ action: 'undo', signal_id: reference, claim_id: claim }),
      doneMessage: ({ claim: own }) =>
        t('{reference} has a claim of its own, {reference2}.', { reference, reference2: own?.reference }),
      undo: ({ claim: own }) => mergeAgain(own?.reference ?? '', claim),
    })
  const place = (node_id: string, name: string) =>
    act({
      change: `place at ${node_id}`,
      run: () => callOnce('move_signal', { signal_id: reference, node_id, version }),
      doneMessage: () => t('{reference} is now at {name}, and the node learns from it.', { reference, name }),
      undo: undoChange,
    })
  const solution = useMemo(() => (state === 'dismissed' ? null : solutionOf([signal])), [state, signal])
  useSubject(solution)
  const solve = () => solution !== null && begin(solution)
  useKeys([
    { key: '1', does: t('Accept'), run: accept },
    { key: '3', does: t('Dismiss'), run: dismiss },
    { key: 's', does: t('New Solution for it'), run: solve },
    { key: 'm', does: t('Place it on the map'), run: placing.open },
    ...undoKeys(undoLast),
  ])
  return (
    <>
      {state !== 'accepted' && (
        <Button size="xs" disabled={busy} onClick={accept} rightSection={<Cap of="1" />}>
          {t('Accept')}
        </Button>
      )}
      {state !== 'dismissed' && (
        <Button size="xs" variant="default" disabled={busy} onClick={dismiss} rightSection={<Cap of="3" />}>
          {t('Dismiss')}
        </Button>
      )}
      {state !== 'dismissed' && (
        <Button size="xs" variant="default" disabled={busy} onClick={solve}>
          {t('New Solution')}
        </Button>
      )}
      <Menu position="bottom-start" width={260}>
        <Menu.Target>
          <Button size="xs" variant="default" disabled={busy} rightSection={<IconChevronDown size={14} aria-hidden />}>
            {t('More')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>{t('Reclassify as')}</Menu.Label>
          {CLASSIFICATIONS.filter(each => each !== signal.classification).map(classification => (
            <Menu.Item
              key={classification}
              onClick={() =>
                decide(
                  { action: 'reclassify', classification },
                  t('{reference} is reclassified as {classification}.', {
                    reference,
                    classification: word(classification),
                  }),
                )
              }
            >
              {word(classification)}
            </Menu.Item>
          ))}
          {claims.length === 0 && state !== 'dismissed' && (
            <>
              <Menu.Label>{t('Promote')}</Menu.Label>
              {CLAIM_KINDS.map(kind => (
                <Menu.Item
                  key={kind}
                  onClick={() =>
                    decide(
                      { action: 'promote', kind },
                      kind === 'problem'
                        ? t('{reference} started a problem.', { reference })
                        : t('{reference} started an Opportunity.', { reference }),
                    )
                  }
                >
                  {kind === 'problem' ? t('to a problem of its own') : t('to an Opportunity of its own')}
                </Menu.Item>
              ))}
              <Menu.Item onClick={open}>{t('to an existing claim…')}</Menu.Item>
            </>
          )}
          <Menu.Label>{t('Map')}</Menu.Label>
          <Menu.Item onClick={placing.open} rightSection={<Cap of="m" />}>
            {t('to a node of the map…')}
          </Menu.Item>
          {claims.length > 0 && <Menu.Label>{t('Evidence')}</Menu.Label>}
          {claims.map(claim => (
            <Menu.Item key={claim.id} onClick={() => pullOut(claim.reference)}>
              {t('Detach from {reference}', { reference: claim.reference })}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      <SearchPicker
        type="claim"
        title={t('{reference} is evidence of', { reference })}
        about={t('It is accepted, and becomes evidence of the claim. You can undo it.')}
        start={signal.text}
        same={{ kind: 'signal', id: signal.id }}
        except={[]}
        opened={choosing}
        onClose={close}
        onChoose={claim_id =>
          decide({ action: 'promote', claim_id }, t('{reference} is evidence of {claim_id}.', { reference, claim_id }))
        }
      />
      <SearchPicker
        type="node"
        title={t('{reference} belongs to', { reference })}
        about={t(
          'The likeliest nodes come first. The signal stays there, and the node learns from it. You can undo it.',
        )}
        start={signal.text}
        except={signal.node === null ? [] : [signal.node.id]}
        whyNot={t('it is here now')}
        opened={isPlacing}
        onClose={placing.close}
        onChoose={place}
      />
    </>
  )
}

/** Accepted without a claim it has one of its own now, which is said. */
const withStarted = (
  doneMessage: string,
  action: Input<'triage'>['action'],
  claim: Output<'triage'>['claim'],
): string =>
  action === 'accept' && claim?.is_new
    ? t('{doneMessage} New: {claims}', { doneMessage, claims: claim.reference })
    : doneMessage

const Cap = ({ of }: { readonly of: string }) => (
  <Kbd size="xs" aria-hidden>
    {of}
  </Kbd>
)
