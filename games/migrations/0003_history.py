"""Rounds know how many moves they had; what was dealt is counted by game."""

from django.db import migrations, models

COUNT_MOVES = """
    UPDATE games_round SET move_count = counted.moves
    FROM (SELECT round_id, count(*) AS moves FROM games_move GROUP BY round_id) AS counted
    WHERE counted.round_id = games_round.id AND games_round.status = 'settled'
"""


class Migration(migrations.Migration):
    dependencies = [("games", "0002_change_log")]

    operations = [
        migrations.AddField(
            model_name="round",
            name="move_count",
            field=models.PositiveIntegerField(default=0),
        ),
        migrations.RunSQL(COUNT_MOVES, migrations.RunSQL.noop),
        migrations.CreateModel(
            name="DealTally",
            fields=[
                ("game", models.CharField(max_length=20, primary_key=True, serialize=False)),
                ("deals", models.PositiveBigIntegerField(default=0)),
                ("counts", models.JSONField(default=dict)),
            ],
        ),
    ]
