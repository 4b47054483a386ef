"""Addresses below `/api/v1/`."""

from __future__ import annotations

from django.urls import path

from games.api.advice import HintView, UnseenView
from games.api.calculators import (
    ClassifyView,
    DealView,
    EvaluateView,
    PossiblePlaysView,
    SettleView,
)
from games.api.catalogue import GamesView, GameView
from games.api.events import EventsView
from games.api.fairness import FairnessView
from games.api.leaderboards import LeaderboardView
from games.api.mine import ResumeView, ScoresView
from games.api.own_rounds import OwnRoundsExportView, OwnRoundsView
from games.api.play import LegalPlaysView, MovesView, PreviewView, StateView
from games.api.rounds import RoundsView, RoundView
from games.api.seats import (
    AutoplayView,
    JoinByCodeView,
    JoinView,
    LeaveView,
    QuickJoinView,
    RematchView,
    SeatView,
)
from games.api.sessions import FinishView, SessionsView, SessionView, StartView
from games.api.waiting import StateWaitView

GAME = "games/<slug:game>/"
SESSION = "sessions/<any_case_uuid:session_id>/"

urlpatterns = [
    path("games/", GamesView.as_view()),
    path(GAME, GameView.as_view()),
    path(f"{GAME}classify/", ClassifyView.as_view()),
    path(f"{GAME}legal-plays/", PossiblePlaysView.as_view()),
    path(f"{GAME}evaluate/", EvaluateView.as_view()),
    path(f"{GAME}settle/", SettleView.as_view()),
    path(f"{GAME}deal/", DealView.as_view()),
    path("sessions/", SessionsView.as_view()),
    path("sessions/join/", JoinByCodeView.as_view()),
    path("sessions/quick-join/", QuickJoinView.as_view()),
    path(SESSION, SessionView.as_view()),
    path(f"{SESSION}join/", JoinView.as_view()),
    path(f"{SESSION}leave/", LeaveView.as_view()),
    path(f"{SESSION}seats/<int:number>/", SeatView.as_view()),
    path(f"{SESSION}start/", StartView.as_view()),
    path(f"{SESSION}finish/", FinishView.as_view()),
    path(f"{SESSION}rematch/", RematchView.as_view()),
    path(f"{SESSION}autoplay/", AutoplayView.as_view()),
    path(f"{SESSION}state/", StateView.as_view()),
    path(f"{SESSION}state/wait/", StateWaitView.as_view()),
    path(f"{SESSION}events/", EventsView.as_view()),
    path(f"{SESSION}moves/", MovesView.as_view()),
    path(f"{SESSION}moves/preview/", PreviewView.as_view()),
    path(f"{SESSION}legal-plays/", LegalPlaysView.as_view()),
    path(f"{SESSION}hint/", HintView.as_view()),
    path(f"{SESSION}unseen/", UnseenView.as_view()),
    path(f"{SESSION}rounds/", RoundsView.as_view()),
    path(f"{SESSION}rounds/<int:number>/", RoundView.as_view()),
    path("fairness/", FairnessView.as_view()),
    path("players/me/rounds/", OwnRoundsView.as_view()),
    path("players/me/rounds/export/", OwnRoundsExportView.as_view()),
    path("players/me/resume/", ResumeView.as_view()),
    path("players/me/scores/", ScoresView.as_view()),
    path("leaderboards/<slug:game>/", LeaderboardView.as_view()),
]
