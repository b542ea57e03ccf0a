import { Table, Text } from '@mantine/core'
import { DAY_MS } from '../../../../schemas/domain/durations.ts'
import { language, moments, plural, t } from '../../language/messages.ts'
import { ClassificationBadge, StateBadge } from '../../parts/badges.tsx'
import { LineChart } from '../../parts/chart/line-chart.tsx'
import { addressOfReference, Reference } from '../../parts/inline.tsx'
import { ComparedBars, changesOf, EvidenceLink, type Figures, Part, signalsOf, type Times } from './review-parts.tsx'
import classes from './reviews.module.css'

const CHART_HEIGHT = 200

interface Props {
  readonly signals: Figures['signals']
  readonly times: Times
}

/** What came in, when, and what kind of thing it said. */
export const SignalsPart = ({ signals: { count, by_classification, time_series }, times }: Props) => {
  if (count === 0 && by_classification.length === 0) return <Part title={t('What came in')} label={t('No signal.')} />
  const most = Math.max(...by_classification.flatMap(row => [row.signals, row.previous_signals ?? 0]))
  return (
    <Part title={t('What came in')}>
      {time_series !== undefined && <SignalsChart parts={time_series} height={CHART_HEIGHT} />}
      <Table className={classes.table ?? ''} aria-label={t('Signals by classification')}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('Kind')}</Table.Th>
            <Table.Th w="40%" aria-hidden data-yields="2" />
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
              <Table.Td aria-hidden data-yields="2">
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

interface SignalsChartProps {
  readonly parts: NonNullable<Figures['signals']['time_series']>
  readonly height: number
}

const day = new Intl.DateTimeFormat(moments, { month: 'short', day: 'numeric' })
const hour = new Intl.DateTimeFormat(moments, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })

/** The Signals of a time, part by part, over those of the time before. */
const SignalsChart = ({ parts, height }: SignalsChartProps) => {
  const places = parts.map(({ from }) => Date.parse(from))
  const apart = (places[1] ?? 0) - (places[0] ?? 0)
  const label = (at: number): string => (apart < DAY_MS / 2 ? hour : day).format(at)
  return (
    <figure aria-label={t('Chart: Signals over the time, and over the previous period')} className={classes.chart}>
      <LineChart
        height={height}
        data={parts.map(({ signals, previous_signals }, index) => ({
          at: places[index] ?? 0,
          signals,
          previous_signals,
        }))}
        series={[
          { name: 'signals', label: t('Signals'), color: 'accent.5' },
          { name: 'previous_signals', label: t('Previous period'), color: 'gray.5', dashed: true },
        ]}
        format={value => value.toLocaleString(language)}
        label={label}
        fromZero
        whole
      />
    </figure>
  )
}

interface ClaimsPartProps {
  readonly claims: Figures['claims']
  readonly times: Times
}

type Claim = Figures['claims']['rising'][number]

/** Which claims more people spoke of than before, and which fewer did. */
export const ClaimsPart = ({ claims: { rising, falling, moved }, times }: ClaimsPartProps) => (
  <>
    <Part
      title={t('Rising claims')}
      label={
        moved > 0 && (
          <EvidenceLink to={changesOf('claims_moved', times)}>
            {plural(moved, '1 claim changed its state', '{number} changes of state')}
          </EvidenceLink>
        )
      }
    >
      <ClaimTable claims={rising} label={t('Rising claims')} />
    </Part>
    <Part title={t('Falling claims')}>
      <ClaimTable claims={falling} label={t('Falling claims')} />
    </Part>
  </>
)

const ClaimTable = ({ claims, label }: { readonly claims: readonly Claim[]; readonly label: string }) => {
  if (claims.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {t('None.')}
      </Text>
    )
  }
  const most = Math.max(...claims.flatMap(claim => [claim.signals, claim.previous_signals]))
  return (
    <Table className={classes.table ?? ''} aria-label={label}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t('Claim')}</Table.Th>
          <Table.Th w={116} data-yields="2">
            {t('State')}
          </Table.Th>
          <Table.Th w={110} aria-hidden data-yields="2" />
          <Table.Th ta="end" w={66}>
            {t('Signals')}
          </Table.Th>
          <Table.Th ta="end" w={60}>
            {t('Before')}
          </Table.Th>
          <Table.Th ta="end" w={66} data-yields="2">
            {t('Actors')}
          </Table.Th>
          <Table.Th ta="end" w={60} data-yields="2">
            {t('Before')}
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {claims.map(claim => {
          const evidence = addressOfReference(claim.reference) ?? '/app/claims'
          return (
            <Table.Tr key={claim.reference}>
              <Table.Td>
                <div className={classes.named}>
                  <Reference of={claim.reference} />
                  <bdi>{claim.title}</bdi>
                </div>
              </Table.Td>
              <Table.Td data-yields="2">
                <StateBadge state={claim.state} />
              </Table.Td>
              <Table.Td aria-hidden data-yields="2">
                <ComparedBars value={claim.signals} before={claim.previous_signals} most={most} />
              </Table.Td>
              <Table.Td ta="end" fw={600}>
                <EvidenceLink to={evidence}>{claim.signals.toLocaleString(language)}</EvidenceLink>
              </Table.Td>
              <Table.Td ta="end" c="dimmed">
                {claim.previous_signals.toLocaleString(language)}
              </Table.Td>
              <Table.Td ta="end" fw={600} data-yields="2">
                <EvidenceLink to={evidence}>{claim.actors.toLocaleString(language)}</EvidenceLink>
              </Table.Td>
              <Table.Td ta="end" c="dimmed" data-yields="2">
                {claim.previous_actors.toLocaleString(language)}
              </Table.Td>
            </Table.Tr>
          )
        })}
      </Table.Tbody>
    </Table>
  )
}
