import { t } from '../../language/messages.ts'
import { StackedBars } from '../../parts/chart/stacked-bars.tsx'
import type { barsOf } from './hours.ts'

interface Props {
  readonly bars: ReturnType<typeof barsOf>
  readonly height: number
}

const SERIES = [
  { name: 'accepted', label: t('Accepted'), color: 'accent.6' },
  { name: 'refused', label: t('Refused'), color: 'red.7' },
]

/** What was accepted and refused over time. */
export const RequestsChart = ({ bars, height }: Props) => (
  <StackedBars data={bars.map(bar => ({ ...bar }))} series={SERIES} height={height} />
)
