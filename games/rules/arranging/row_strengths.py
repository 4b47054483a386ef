"""How strong rows are: made by `tests.benchmarks.measure_row_strengths`.

By row and category, for each first rank 2 … A: how many of 5,000 rows set there are lower than
the lowest row of that category and rank.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from games.rules.arranging.rows import Category

# fmt: off
ROW_STRENGTHS: Final[Mapping[str, Mapping[Category, tuple[int, ...]]]] = {
    "front": {
        Category.HIGH_CARD: (
            0, 0, 0, 4, 17, 35, 63, 92, 132, 200, 319, 591, 1121
        ),
        Category.PAIR: (
            2373, 2424, 2469, 2502, 2565, 2655, 2774, 2931, 3131, 3385, 3724, 4146, 4569
        ),
        Category.THREE_OF_A_KIND: (
            4971, 4976, 4983, 4985, 4988, 4989, 4990, 4991, 4994, 4995, 4997, 5000, 5000
        ),
    },
    "middle": {
        Category.HIGH_CARD: (
            0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 6, 15
        ),
        Category.PAIR: (
            61, 80, 99, 120, 137, 172, 213, 262, 324, 399, 511, 728, 1078
        ),
        Category.TWO_PAIR: (
            1547, 1547, 1590, 1659, 1754, 1930, 2114, 2333, 2574, 2805, 3019, 3180, 3249
        ),
        Category.THREE_OF_A_KIND: (
            3249, 3317, 3376, 3431, 3489, 3544, 3596, 3643, 3688, 3723, 3759, 3790, 3814
        ),
        Category.STRAIGHT: (
            3825, 3825, 3825, 3825, 3949, 4077, 4172, 4253, 4318, 4400, 4470, 4545, 4604
        ),
        Category.FLUSH: (
            4666, 4666, 4666, 4666, 4666, 4666, 4666, 4676, 4697, 4724, 4769, 4834, 4913
        ),
        Category.FULL_HOUSE: (
            4973, 4976, 4978, 4981, 4985, 4992, 4995, 4995, 4997, 4998, 4998, 4998, 4998
        ),
        Category.FOUR_OF_A_KIND: (
            4999, 5000, 5000, 5000, 5000, 5000, 5000, 5000, 5000, 5000, 5000, 5000, 5000
        ),
        Category.STRAIGHT_FLUSH: (
            5000, 5000, 5000, 5000, 5000, 5000, 5000, 5000, 5000, 5000, 5000, 5000, 5000
        ),
    },
    "back": {
        Category.HIGH_CARD: (
            0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
        ),
        Category.PAIR: (
            0, 0, 0, 1, 4, 4, 7, 11, 19, 27, 34, 40, 49
        ),
        Category.TWO_PAIR: (
            60, 60, 75, 99, 126, 167, 235, 320, 405, 498, 594, 675, 719
        ),
        Category.THREE_OF_A_KIND: (
            719, 731, 748, 760, 767, 774, 777, 782, 790, 793, 795, 800, 804
        ),
        Category.STRAIGHT: (
            807, 807, 807, 807, 886, 984, 1092, 1206, 1328, 1445, 1573, 1695, 1822
        ),
        Category.FLUSH: (
            1916, 1916, 1916, 1916, 1916, 1916, 1923, 1935, 1959, 2021, 2149, 2370, 2760
        ),
        Category.FULL_HOUSE: (
            3440, 3518, 3598, 3672, 3763, 3879, 3996, 4116, 4242, 4345, 4466, 4587, 4720
        ),
        Category.FOUR_OF_A_KIND: (
            4839, 4843, 4854, 4866, 4874, 4884, 4897, 4907, 4915, 4923, 4931, 4938, 4950
        ),
        Category.STRAIGHT_FLUSH: (
            4957, 4957, 4957, 4957, 4963, 4967, 4973, 4978, 4983, 4986, 4992, 4993, 4996
        ),
    },
}
