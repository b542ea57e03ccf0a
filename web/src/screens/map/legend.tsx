import { Box, Group, Text } from '@mantine/core'
import { METRIC_TRENDS, type MetricTrend } from './metric-trend.ts'
import classes from './treemap.module.css'

/** What the colours of the picture say. */
export const Legend = () => (
  <Group component="ul" gap="md" m={0} mt="sm" p={0} aria-label="Colours: newest metric point against the one before">
    {Object.entries(METRIC_TRENDS).map(([trend, { sign, label }]) => (
      <Group component="li" key={trend} gap={6} wrap="nowrap">
        {/* The keys of `STANDINGS` are what `Standing` lists. */}
        <Box className={classes.swatch ?? ''} data-standing={trend as MetricTrend} aria-hidden />
        <Text size="xs" c="dimmed">
          {label}
          <span aria-hidden="true"> {sign}</span>
        </Text>
      </Group>
    ))}
  </Group>
)
