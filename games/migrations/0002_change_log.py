import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("games", "0001_initial")]

    operations = [
        migrations.CreateModel(
            name="Change",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("version", models.PositiveIntegerField()),
                (
                    "type",
                    models.CharField(
                        choices=[
                            ("joined", "Joined"),
                            ("left", "Left"),
                            ("seat_changed", "Seat Changed"),
                            ("autoplay", "Autoplay"),
                            ("dealt", "Dealt"),
                            ("finished", "Finished"),
                            ("rematch", "Rematch"),
                        ],
                        max_length=12,
                    ),
                ),
                ("seat", models.PositiveSmallIntegerField(null=True)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "session",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="changes",
                        to="games.session",
                    ),
                ),
            ],
            options={
                "ordering": ("session", "version"),
                "constraints": [
                    models.UniqueConstraint(
                        fields=("session", "version"), name="one_change_per_version"
                    )
                ],
            },
        ),
        migrations.AddField(
            model_name="move",
            name="version",
            # No version has this number: who resumes from before this column gets a snapshot.
            field=models.PositiveIntegerField(default=0),
            preserve_default=False,
        ),
    ]
