import { Badge, Table, Text, Title } from '@mantine/core'
import { useOperation } from '../../api/hooks.ts'
import { counted } from '../../parts/counted.ts'
import { ErrorState } from '../../parts/error-state.tsx'
import { LoadingState } from '../../parts/loading-state.tsx'
import classes from './signal-steps.module.css'

interface Props {
  /** Of the signal, on its way too. */
  readonly id: string
}

const COLORS: Readonly<Record<string, string>> = { retry: 'yellow', dead: 'red', dead_letter: 'red' }
const milliseconds = (value: number): string => value.toLocaleString('en', { maximumFractionDigits: 1 })

/** Each step that a signal took, with what it did there, how long it took and by which rules. */
export const SignalSteps = ({ id }: Props) => {
  const { data, error, refetch } = useOperation('trace_signal', { id })
  return (
    <section aria-labelledby="steps">
      <Title order={2} id="steps" mb="xs">
        Its way through the steps
      </Title>
      {data === undefined &&
        (error === null ? <LoadingState rows={9} height={24} /> : <ErrorState error={error} retry={refetch} />)}
      {data?.steps.length === 0 && (
        <Text size="sm" c="dimmed">
          Its activity is not there yet, or older than what is kept.
        </Text>
      )}
      {data !== undefined && data.steps.length > 0 && (
        <>
          <Text size="sm" c="dimmed" mb="sm">
            {data.total_ms !== null && `${milliseconds(data.total_ms)} ms from the receipt to the end`}
            {data.retries > 0 && `, ${counted(data.retries, 'retry', 'retries')}`}
            {data.replays > 0 && `, ${counted(data.replays, 'replay')}`}
          </Text>
          <Table.ScrollContainer minWidth={460} type="native" tabIndex={0} role="region" aria-labelledby="steps">
            <Table aria-label="Steps">
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>Step</Table.Th>
                  <Table.Th>Outcome</Table.Th>
                  <Table.Th ta="right">Took&nbsp;ms</Table.Th>
                  <Table.Th ta="right">After&nbsp;ms</Table.Th>
                  <Table.Th>By</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {data.steps.map(step => (
                  <Table.Tr key={`${step.step} ${step.outcome} ${step.attempt} ${step.replay} ${step.elapsed_ms}`}>
                    <Table.Td>
                      {step.step}
                      {step.attempt > 1 && ` (attempt ${step.attempt})`}
                    </Table.Td>
                    <Table.Td>
                      <Badge
                        variant="light"
                        color={COLORS[step.outcome] ?? 'gray'}
                        tt="none"
                        fw={550}
                        miw="max-content"
                      >
                        {step.outcome}
                      </Badge>
                      {step.reason !== '' && (
                        <Text size="xs" c="dimmed" className={classes.reason}>
                          <bdi>{step.reason}</bdi>
                        </Text>
                      )}
                    </Table.Td>
                    <Table.Td ta="right">{milliseconds(step.duration_ms)}</Table.Td>
                    <Table.Td ta="right">{milliseconds(step.elapsed_ms)}</Table.Td>
                    <Table.Td>
                      <Text size="xs" c="dimmed" className={classes.reason}>
                        {step.version}
                      </Text>
                    </Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </Table.ScrollContainer>
        </>
      )}
    </section>
  )
}
