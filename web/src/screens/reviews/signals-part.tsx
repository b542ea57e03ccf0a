import { Table } from '@mantine/core'
import { language } from '../../language/language.ts'
import { t } from '../../language/messages.ts'
import { ClassificationBadge } from '../../parts/classification-badge.tsx'
import { ComparedBars } from './compared-bars.tsx'
import { EvidenceLink } from './evidence-link.tsx'
import { signalsOf } from './evidence-links.ts'
import { Part } from './part.tsx'
import type { Figures, Times } from './review.ts'
import classes from './reviews.module.css'
import { SignalsChart } from './signals-chart.tsx'

const CHART_HEIGHT = 200

interface Props {
  readonly signals: Figures['signals']
  readonly times: Times
}

/** What came in, when, and what kind of thing it said. */
export const SignalsPart = ({ signals: { count, by_classification, time_series }, times }: Props) => {
  if (count === 0 && by_classification.length === 0) return <Part title={t('What came in')} label={t('No Signal.')} />
  const most = Math.max(...by_classification.flatMap(row => [row.signals, row.previous_signals ?? 0]))
  return (
    <Part title={t('What came in')}>
      {time_series !== undefined && <SignalsChart parts={time_series} height={CHART_HEIGHT} />}
      <Table className={classes.table ?? ''} aria-label={t('Signals by classification')}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('Kind')}</Table.Th>
            <Table.Th w="40%" aria-hidden data-wide />
            <Table.Th ta="end">{t('Signals')}</Table.Th>
            <Table.Th ta="end">{t('Before')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {by_classification.map(({ classification, signals, previous_signals }) => (
            <Table.Tr key={classification}>
              <Table.Td>
                <ClassificationBadge classification={classification} />
              </Table.Td>
              <Table.Td aria-hidden data-wide>
                <ComparedBars value={signals} before={previous_signals} most={most} />
              </Table.Td>
              <Table.Td ta="end" fw={600}>
                <EvidenceLink to={signalsOf(times, classification)}>{signals.toLocaleString(language)}</EvidenceLink>
              </Table.Td>
              <Table.Td ta="end" c="dimmed">
                {previous_signals?.toLocaleString(language) ?? '–'}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Part>
  )
}
