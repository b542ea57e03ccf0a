import { Button, Text } from '@mantine/core'
import { IconMailCheck } from '@tabler/icons-react'
import { useState } from 'react'
import { FAULTS, STEPS } from '../../../../../schemas/domain/vocabulary.ts'
import { useCanEdit, useOperation } from '../../../api/operations.ts'
import { counted, t, word } from '../../../language/messages.ts'
import { FilterBar } from '../../../parts/filter-bar.tsx'
import { EmptyState, ErrorState, LoadingState } from '../../../parts/states.tsx'
import { useHistorySheet, useUrlState } from '../../../parts/use-url-state.ts'
import { type DeadLetterState, DiscardDeadLetters, type OpenDialog, ReplayDeadLetters } from './dead-letter-actions.tsx'
import { GroupTable } from './group-table.tsx'
import { Inspection } from './inspection.tsx'

const REFRESH_MS = 5000
const DEFAULTS = { dead_letter_state: 'waiting', step: '', fault: '', dead_letter: '', at: '' }

const NONE: Readonly<Record<DeadLetterState, readonly [title: string, about: string]>> = {
  waiting: [t('No dead letter waits'), t('Signals that fail at every attempt are listed here, with the reason.')],
  replayed: [t('None was replayed'), t('Dead letters that were sent through the pipeline again are listed here.')],
  discarded: [t('None was discarded'), t('Dead letters that somebody discarded are listed here, with the Decision.')],
}

// The address may say anything; what it should not say narrows nothing.
const oneOf = <const Words extends readonly string[]>(words: Words, said: string): Words[number] | undefined =>
  words.find(word => word === said)

/** The dead letters of the workspace by what they died of, and what can be done about them. */
export const DeadLetters = () => {
  const [{ dead_letter_state: said, step, fault, dead_letter: inspected, at }, change] = useUrlState(DEFAULTS)
  const [dialog, setDialog] = useState<OpenDialog | null>(null)
  const sheet = useHistorySheet('dead letter')
  const canEdit = useCanEdit()
  const state = oneOf(['waiting', 'replayed', 'discarded'], said) ?? 'waiting'
  const [chosenStep, chosenFault] = [oneOf(STEPS, step), oneOf(FAULTS, fault)]
  const filters = {
    dead_letter_state: state,
    ...(chosenStep !== undefined && { step: chosenStep }),
    ...(chosenFault !== undefined && { fault: chosenFault }),
  }
  const { data, error, refetch } = useOperation(
    'inspect_pipeline',
    { ...filters, limit: 1 },
    { refresh_ms: REFRESH_MS, keep: true },
  )
  const isFiltered = step !== '' || fault !== ''
  const close = () => setDialog(null)
  return (
    <>
      <FilterBar
        choices={[
          {
            label: t('State'),
            value: state === 'waiting' ? '' : state,
            options: ['replayed', 'discarded'],
            onChange: value => change({ dead_letter_state: value === '' ? 'waiting' : value }),
          },
          { label: t('Step'), value: step, options: STEPS, onChange: value => change({ step: value }) },
          {
            label: t('Fault'),
            value: fault,
            options: FAULTS,
            onChange: value => change({ fault: value }),
          },
        ]}
      >
        {canEdit && state === 'waiting' && !isFiltered && (data?.count ?? 0) > 0 && (
          <Button
            size="xs"
            variant="default"
            ms="auto"
            onClick={() =>
              setDialog({ what: 'replay', selection: { all: true }, about: counted(data?.count ?? 0, 'dead letter') })
            }
          >
            {t('Replay all…')}
          </Button>
        )}
      </FilterBar>
      {data === undefined &&
        (error === null ? <LoadingState rows={5} /> : <ErrorState error={error} retry={refetch} />)}
      {data !== undefined && error !== null && (
        <ErrorState error={error} retry={refetch} title={t('This list may be out of date')} />
      )}
      {data !== undefined && data.groups.length === 0 && (
        <EmptyState icon={IconMailCheck} title={isFiltered ? t('Nothing matches') : NONE[state][0]}>
          {isFiltered ? t('No dead letter matches all that is chosen above.') : NONE[state][1]}
        </EmptyState>
      )}
      {data !== undefined && data.groups.length > 0 && (
        <>
          <Text size="sm" c="dimmed" mb="sm">
            {t('{deadLetters} {state}, by reason', {
              deadLetters: counted(data.count, 'dead letter'),
              state: word(state),
            })}
          </Text>
          <GroupTable
            groups={data.groups}
            state={state}
            canEdit={canEdit}
            onOpenDialog={setDialog}
            onInspect={({ signal_id, step: died }) => sheet.open({ dead_letter: signal_id, at: died })}
          />
        </>
      )}
      {inspected !== '' && (
        <Inspection
          signalId={inspected}
          step={oneOf(STEPS, at)}
          canEdit={canEdit}
          onOpenDialog={setDialog}
          onClose={() => (sheet.opened ? sheet.close() : change({ dead_letter: '', at: '' }))}
        />
      )}
      {dialog?.what === 'replay' && <ReplayDeadLetters of={dialog} onClose={close} />}
      {dialog?.what === 'discard' && <DiscardDeadLetters of={dialog} onClose={close} />}
    </>
  )
}
